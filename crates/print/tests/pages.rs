//! The books, opened by a reader that shares no code with their writer: how many pages, what is written on them, and the
//! pieces measured on the rendered page.

#![expect(clippy::unwrap_used, reason = "a test that cannot set its stage has failed")]

mod reader;

use house::Kind;
use print::{DIE, Paper, SQUARE, TILE};
use reader::{Picture, Pixel, Reader};

/// What a measurement may be off by.
const TOLERANCE: f32 = 0.5;

fn open(game: Kind, paper: Paper) -> Reader {
    Reader::open(&print::book(game, paper).unwrap())
}

fn close(measured: f32, wanted: f32, what: &str) {
    assert!((measured - wanted).abs() <= TOLERANCE, "{what}: {measured} mm instead of {wanted} mm");
}

#[test]
fn every_book_has_its_pages_in_the_size_of_the_paper() {
    for (game, pages) in
        [(Kind::IQubes, 3), (Kind::Scribbage, 4), (Kind::Contact, 6), (Kind::Cubo, 8), (Kind::Roulette, 5)]
    {
        for paper in Paper::ALL {
            let sizes = open(game, paper).pages();
            assert_eq!(sizes.len(), pages, "{game} on {paper}");
            for (width, height) in sizes {
                close(width, paper.width(), "width");
                close(height, paper.height(), "height");
            }
        }
    }
}

#[test]
fn the_same_book_is_the_same_bytes() {
    assert_eq!(print::book(Kind::Cubo, Paper::A4).unwrap(), print::book(Kind::Cubo, Paper::A4).unwrap());
}

#[test]
fn nothing_is_drawn_in_the_margin_that_printers_leave_white() {
    for game in Kind::ALL {
        for paper in Paper::ALL {
            let book = open(game, paper);
            for page in 0..book.pages().len() {
                let inked = book.picture(page).inked();
                let (right, bottom) = (paper.width() - inked.right(), paper.height() - inked.bottom());
                let least = inked.x.min(inked.y).min(right).min(bottom);
                assert!(least >= 8.0, "{game} on {paper}, page {}: {least} mm", page + 1);
            }
        }
    }
}

#[test]
fn every_page_says_what_it_is_and_brings_a_ruler_of_five_centimetres() {
    for game in Kind::ALL {
        let book = open(game, Paper::A4);
        for page in 0..book.pages().len() {
            let text = book.text(page);
            assert!(text.starts_with(game.title()), "{text}");
            assert!(text.contains("Print at 100 %"), "{text}");
            let picture = book.picture(page);
            let foot = Paper::A4.height() - 11.0;
            let line = picture.run_across(foot, Pixel::is_dark);
            close(line.1 - line.0, 50.0, "the ruler");
        }
    }
}

#[test]
fn no_page_has_a_word_that_the_house_does_not_lay() {
    let lines = include_str!("../../words/data/offensive.txt").lines();
    let flagged: Vec<&str> =
        lines.filter(|line| !line.starts_with('#')).flat_map(str::split_whitespace).collect();
    for game in Kind::ALL {
        let book = open(game, Paper::A4);
        for page in 0..book.pages().len() {
            let text = book.text(page).to_ascii_lowercase();
            let mut words = text.split(|c: char| !c.is_ascii_alphabetic());
            let found = words.find(|word| flagged.contains(word));
            assert_eq!(found, None, "{game}, page {}", page + 1);
        }
    }
}

#[test]
fn the_faces_of_the_data_files_are_all_there() {
    let iqubes = open(Kind::IQubes, Paper::A4);
    let mut letters: Vec<char> = iqubes.big_letters(1, 8.0);
    let set = iqubes::Set::standard();
    let mut wanted: Vec<char> =
        set.dice().as_flattened().iter().filter_map(|face| Some(face.letter?.upper())).collect();
    letters.sort_unstable();
    wanted.sort_unstable();
    assert_eq!(letters, wanted);
    assert_eq!(iqubes.text(1).matches("WILD").count(), 2);

    let scribbage = open(Kind::Scribbage, Paper::Letter);
    let mut letters: Vec<char> =
        [1, 2].into_iter().flat_map(|page| scribbage.big_letters(page, 8.0)).collect();
    let set = scribbage::Set::standard();
    let mut wanted: Vec<char> =
        set.cubes().as_flattened().iter().filter_map(|face| Some(face.0?.upper())).collect();
    letters.sort_unstable();
    wanted.sort_unstable();
    assert_eq!(letters, wanted);
    let jokers: usize = [1, 2].into_iter().map(|page| scribbage.text(page).matches("JOKER").count()).sum();
    assert_eq!(jokers, 2);
}

#[test]
fn the_layout_has_all_its_numbers_and_outer_spots() {
    let text = open(Kind::Roulette, Paper::A4).text(0);
    let words: Vec<&str> = text.split_whitespace().collect();
    for number in roulette::Set::standard().numbers() {
        assert!(words.contains(&number.to_string().as_str()), "{number} in {text}");
    }
    for spot in
        ["1–6", "51–56", "1st 12", "2d 12", "3rd 12", "1 to 26", "31 to 56", "RED", "BLACK", "EVEN", "ODD"]
    {
        assert!(text.contains(spot), "{spot} in {text}");
    }
}

#[test]
fn a_face_of_a_red_die_is_sixteen_millimetres() {
    for paper in Paper::ALL {
        let picture = open(Kind::Cubo, paper).picture(1);
        let inked = picture.first(Pixel::is_red);
        // The first face met is the top of a strip: the strip goes on below for four faces.
        let (left, right) = picture.run_across(inked.1 + 1.0, Pixel::is_red);
        close(right - left, DIE, "a face");
        // A fold is drawn between two faces, so a run ends there.
        let (top, bottom) = picture.run_down(left + 1.0, Pixel::is_red);
        close(bottom - top, DIE, "a face, downwards");
        let foot = inked.1 + 4.0 * DIE;
        assert!(picture.at(left + 1.0, foot - 1.0).is_red(), "the strip has four faces");
        assert!(!picture.at(left + 1.0, foot + 1.0).is_red(), "and no fifth");
    }
}

#[test]
fn tiles_and_squares_of_the_board_are_of_one_size() {
    let book = open(Kind::Contact, Paper::Letter);
    let board = book.picture(3);
    let lines = board.lines_down(Pixel::is_dark);
    // The lines between the squares are all of one width; the frame's are wider.
    let squares: Vec<&[f32]> =
        lines.windows(2).filter(|pair| (pair[1] - pair[0] - SQUARE).abs() < TOLERANCE).collect();
    assert!(squares.len() >= 6, "{lines:?}");
    let span = squares[squares.len() - 1][1] - squares[0][0];
    close(span, squares.len() as f32 * SQUARE, "the squares of half a board");
    let tiles = book.picture(0);
    let red = tiles.first(Pixel::is_red);
    let (left, right) = tiles.run_across(red.1 + 0.4, Pixel::is_red);
    close(right - left, TILE - 0.5, "the edge of a tile, inside its cut");
}

#[test]
fn each_back_lies_behind_its_front() {
    for paper in Paper::ALL {
        let book = open(Kind::Contact, paper);
        let (fronts, backs) = (book.figures(0), book.figures(1));
        assert_eq!(fronts.len(), 26 * 4);
        assert_eq!(backs.len(), fronts.len());
        for (figure, x, y) in fronts {
            // Turned over the long edge, what is at x on the back lies behind width - x of the front.
            let near =
                |at: &&(char, f32, f32)| (paper.width() - at.1 - x).abs() < 2.5 && (at.2 - y).abs() < 1.0;
            let back = backs.iter().find(near).unwrap_or_else(|| panic!("{figure} at {x} {y} has no back"));
            assert!(matches!(back.0, '4' | '5'));
        }
    }
}

#[test]
fn a_tile_is_the_same_kind_on_both_sides() {
    let book = open(Kind::Contact, Paper::A4);
    let (fronts, backs) = (book.figures(0), book.figures(1));
    // A 1 or 2 is on TWO STEP tiles alone, whose backs are 4; a 5 or 6 on ONE STEP tiles, whose backs are 5.
    for (figure, x, y) in fronts {
        let wanted = match figure {
            '1' | '2' => '4',
            '5' | '6' => '5',
            _ => continue,
        };
        let behind = Paper::A4.width() - x;
        let near = |at: &&(char, f32, f32)| (at.1 - behind).abs() < 2.5 && (at.2 - y).abs() < 1.0;
        assert_eq!(backs.iter().find(near).map(|at| at.0), Some(wanted), "{figure} at {x} {y}");
    }
}

#[test]
fn the_picture_can_tell_ink_from_paper() {
    let picture: Picture = open(Kind::Contact, Paper::A4).picture(0);
    assert!(!picture.at(2.0, 2.0).is_dark());
    assert!(picture.inked().w > 150.0);
}
