//! Perfect play against a brute force that shares nothing with it but the text of the dice: every distinct
//! arrangement of a random thousand hands, counted by the letter of the rules.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed, which is what it is for")]

use cubo::{Census, HANDS, Hand, Lookup, Straights};
use table::Luck;

/// A colour and a number.
type Piece = (char, u32);

fn pieces(text: &str) -> Vec<Piece> {
    text.split(' ').map(|die| (die.chars().next().unwrap(), die[1..].parse().unwrap())).collect()
}

/// A row's points with straights in order, and in any order.
fn row(row: [Piece; 3]) -> [u32; 2] {
    let [a, b, c] = row.map(|(_, number)| number);
    let mut sorted = [a, b, c];
    sorted.sort_unstable();
    let consecutive = sorted[0] + 1 == sorted[1] && sorted[1] + 1 == sorted[2];
    let along = [a, b, c] == sorted || [c, b, a] == sorted;
    let worth = if a == b && b == c {
        [a, a]
    } else if consecutive {
        [if along { sorted[2] } else { 0 }, sorted[2]]
    } else {
        [0, 0]
    };
    let all = |colour| row.iter().all(|&(other, _)| other == colour || other == 'W');
    if all('R') || all('B') { worth.map(|points| 2 * points) } else { worth }
}

fn count(g: &[Piece; 9]) -> [u32; 2] {
    let rows = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8]];
    let mut sum = [0, 0];
    for [x, y, z] in rows {
        let [strict, loose] = row([g[x], g[y], g[z]]);
        sum = [sum[0] + strict, sum[1] + loose];
    }
    sum
}

/// The next order of these pieces in the dictionary; false after the last.
fn next_order(pieces: &mut [Piece]) -> bool {
    let Some(i) = (1..pieces.len()).rev().find(|&i| pieces[i - 1] < pieces[i]) else { return false };
    let j = (i..pieces.len()).rev().find(|&j| pieces[j] > pieces[i - 1]).unwrap();
    pieces.swap(i - 1, j);
    pieces[i..].reverse();
    true
}

/// The best count over all distinct arrangements, in order and in any order.
fn best(hand: &[Piece]) -> [u32; 2] {
    let (white, mut around): (Vec<Piece>, Vec<Piece>) = hand.iter().partition(|(colour, _)| *colour == 'W');
    around.sort_unstable();
    let mut best = [0, 0];
    loop {
        let [a, b, c, d, e, f, g, h] = *around.as_slice() else { panic!("eight coloured dice") };
        let grid = [a, b, c, d, white[0], e, f, g, h];
        let [strict, loose] = count(&grid);
        best = [best[0].max(strict), best[1].max(loose)];
        if !next_order(&mut around) {
            return best;
        }
    }
}

// rules: CU-S4 CU-S10 CU-S11 CU-S12 CU-R6
#[test]
fn the_table_agrees_with_brute_force_over_a_random_thousand_hands() {
    let [strict, loose] = [Straights::InOrder, Straights::AnyOrder].map(Lookup::of);
    let mut luck = Luck::new(1000);
    for _ in 0..1000 {
        let hand = Hand::from_rank(luck.below(HANDS as u64) as usize).unwrap();
        let brute = best(&pieces(&hand.to_string()));
        assert_eq!([strict.points(&hand), loose.points(&hand)].map(u32::from), brute, "{hand}");
        for (straights, points) in [(Straights::InOrder, brute[0]), (Straights::AnyOrder, brute[1])] {
            assert_eq!(u32::from(hand.best_points(straights)), points, "{hand} by search");
            let cubo = hand.best(straights);
            assert_eq!(Hand::from(&cubo), hand, "the cubo is made of the hand");
            let laid: Vec<Piece> = pieces(&cubo.to_string().replace("/ ", ""));
            assert_eq!(count(&laid.try_into().unwrap())[straights as usize], points, "{hand} laid as {cubo}");
        }
    }
}

#[test]
fn arrangement_and_exchange_agree_with_brute_force() {
    let mut luck = Luck::new(8);
    for _ in 0..20 {
        let hand = Hand::from_rank(luck.below(HANDS as u64) as usize).unwrap();
        let coloured = ["R1", "R2", "R3", "R4", "R5", "R6", "B1", "B2", "B3", "B4", "B5", "B6"];
        let taken = *luck.pick(&coloured).unwrap();
        let nine = pieces(&hand.to_string());
        let mut most = best(&nine)[0];
        for out in 0..8 {
            let mut other = nine.clone();
            other[out] = pieces(taken)[0];
            most = most.max(best(&other)[0]);
        }
        let plan = hand.plan_with(taken.parse().unwrap(), Straights::InOrder);
        assert_eq!(u32::from(plan.score), most, "{hand} with {taken}");
    }
}

#[test]
fn a_census_counts_every_throw_once() {
    for straights in [Straights::InOrder, Straights::AnyOrder] {
        for red in 0..=8 {
            let census = Census::of(red, straights).unwrap();
            assert_eq!(census.distribution.iter().map(|share| share.throws).sum::<u64>(), 6_u64.pow(9));
            let sum: u64 =
                census.distribution.iter().map(|share| u64::from(share.points) * share.throws).sum();
            assert_eq!(
                (census.sum(), census.mean.numerator * 6_u64.pow(9)),
                (sum, sum * census.mean.denominator)
            );
            let other = Census::of(8 - red, straights).unwrap();
            assert_eq!(census.distribution, other.distribution, "red and blue are alike");
        }
    }
    assert_eq!(Census::of(9, Straights::InOrder), None);
    assert_eq!(cubo::census(9), Err(cubo::Misread::NoSuchStock { red: 9 }));
}

/// The rarest scores can be counted by hand: only nine sixes of one colour make six trips of twelve.
#[test]
fn only_one_throw_of_eight_reds_is_worth_72() {
    let census = Census::of(8, Straights::InOrder).unwrap();
    let last = census.distribution.last().unwrap();
    assert_eq!((last.points, last.throws), (72, 1));
    assert_eq!(census.chance_above(71).numerator, 1);
    assert_eq!(census.chance_above(72).numerator, 0);
}

/// What a line of numbers is worth, not doubled, with straights in order or in any order.
fn worth(line: [u32; 3], any_order: bool) -> u32 {
    row(line.map(|number| ('-', number)))[usize::from(any_order)]
}

/// A line through the white die: the die shows its own number, or whatever is worth most.
fn through([a, white, b]: [u32; 3], any_order: bool, any_number: bool) -> u32 {
    let shows = if any_number { 1..=6 } else { white..=white };
    shows.map(|white| worth([a, white, b], any_order)).max().unwrap()
}

/// Of all grids whose six lines count, the two through the white die doubled: how many make 32; of these how many have a
/// doubled 5, and a line of 6 that is not doubled, and both a doubled 5 and a doubled 3; and what a doubled 5 and a line of 6
/// make, at least and at most.
fn grids_of_32(any_order: bool, any_number: bool) -> ([u32; 4], (u32, u32)) {
    let numbers = || (1..=6).flat_map(|a| (1..=6).flat_map(move |b| (1..=6).map(move |c| [a, b, c])));
    let lines: Vec<[u32; 3]> = numbers().filter(|&line| worth(line, any_order) > 0).collect();
    // A white die of any number is the same die whatever it shows.
    let middles: Vec<[u32; 3]> = numbers()
        .filter(|&line| through(line, any_order, any_number) > 0 && !(any_number && line[1] > 1))
        .collect();
    let (mut found, mut sums) = ([0; 4], (u32::MAX, 0));
    for middle in &middles {
        for (top, bottom) in lines.iter().flat_map(|top| lines.iter().map(move |bottom| (top, bottom))) {
            let down = |at: usize| [top[at], middle[at], bottom[at]];
            let plain = [*top, *bottom, down(0), down(2)].map(|line| worth(line, any_order));
            let doubled = [*middle, down(1)].map(|line| through(line, any_order, any_number));
            if plain.contains(&0) || doubled.contains(&0) {
                continue;
            }
            let sum = plain.iter().sum::<u32>() + 2 * doubled.iter().sum::<u32>();
            let (ten, six) = (doubled.contains(&5), plain.contains(&6));
            if ten && six {
                sums = (sums.0.min(sum), sums.1.max(sum));
            }
            if sum == 32 {
                let has = [true, ten, six, ten && doubled.contains(&3)];
                found = std::array::from_fn(|at| found[at] + u32::from(has[at]));
            }
        }
    }
    (found, sums)
}

// rules: CU-S10 CU-S12 CU-R6
#[test]
fn the_sheets_picture_of_32_fits_no_single_reading() {
    assert_eq!(grids_of_32(false, false), ([5, 0, 0, 0], (40, 44)));
    assert_eq!(grids_of_32(false, true), ([5, 0, 0, 0], (40, 44)));
    assert_eq!(grids_of_32(true, false), ([57, 16, 0, 16], (39, 45)));
    assert_eq!(grids_of_32(true, true), ([33, 4, 0, 0], (39, 45)));
}
