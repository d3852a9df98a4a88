//! Dice Roulette: two dice, thirty-six numbers, any number of players.
