//! Sounds, made in the page: dice in a cup, a click, clay on baize, a bell. Soft, and muted with one tap, remembered.

use crate::browser;
use leptos::prelude::*;
use std::cell::RefCell;
use web_sys::{AudioContext, BiquadFilterType, OscillatorType};

/// What can be heard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sound {
    /// Dice in a cup, thrown.
    Dice,
    /// A die set down.
    Click,
    /// A chip laid.
    Chip,
    /// Chips swept off.
    Sweep,
    /// Something won.
    Win,
    /// A cover that lands with weight.
    Slam,
    /// The last seconds.
    Tick,
    /// Your turn, or the end.
    Bell,
    /// That does not go.
    Nope,
}

const MUTED: &str = "parlor.muted";

thread_local! {
    static AUDIO: RefCell<Option<AudioContext>> = const { RefCell::new(None) };
}

/// Whether sounds are heard.
#[derive(Clone, Copy)]
pub struct Ears {
    muted: RwSignal<bool>,
}

impl Ears {
    /// As they were left.
    pub fn remembered() -> Ears {
        Ears { muted: RwSignal::new(browser::recall(MUTED).is_some()) }
    }

    /// Whether sounds are muted.
    pub fn muted(self) -> bool {
        self.muted.get()
    }

    /// Mutes, or no longer.
    pub fn toggle(self) {
        let muted = !self.muted.get_untracked();
        self.muted.set(muted);
        if muted {
            browser::remember(MUTED, "yes");
        } else {
            browser::forget(MUTED);
            self.play(Sound::Click);
        }
    }

    /// Makes a sound. Where the browser does not let it, nothing is heard and nothing is wrong.
    pub fn play(self, sound: Sound) {
        if !self.muted.get_untracked() && browser::window().is_some() {
            AUDIO.with_borrow_mut(|audio| {
                if audio.is_none() {
                    *audio = AudioContext::new().ok();
                }
                if let Some(audio) = audio {
                    let _ = audio.resume();
                    let _ = make(audio, sound);
                }
            });
        }
    }
}

/// The ears, from anywhere inside the page.
pub fn ears() -> Ears {
    expect_context()
}

type Heard = Result<(), wasm_bindgen::JsValue>;

fn make(audio: &AudioContext, sound: Sound) -> Heard {
    match sound {
        Sound::Dice => {
            for (at, loud) in
                [(0.0, 0.25), (0.06, 0.3), (0.13, 0.22), (0.19, 0.3), (0.27, 0.2), (0.36, 0.26), (0.5, 0.16)]
            {
                knock(audio, at, 1500.0 + 900.0 * js_sys::Math::random(), 0.05, loud)?;
            }
            Ok(())
        }
        Sound::Click => knock(audio, 0.0, 2300.0, 0.035, 0.28),
        Sound::Chip => knock(audio, 0.0, 3400.0, 0.04, 0.22).and(knock(audio, 0.045, 3000.0, 0.05, 0.16)),
        Sound::Sweep => knock(audio, 0.0, 900.0, 0.3, 0.2),
        Sound::Slam => knock(audio, 0.0, 180.0, 0.2, 0.9).and(tone(audio, 0.0, 84.0, 0.22, 0.5)),
        Sound::Tick => tone(audio, 0.0, 880.0, 0.06, 0.1),
        Sound::Win => tone(audio, 0.0, 659.0, 0.16, 0.12)
            .and(tone(audio, 0.1, 784.0, 0.16, 0.12))
            .and(tone(audio, 0.2, 1047.0, 0.32, 0.12)),
        Sound::Bell => tone(audio, 0.0, 1175.0, 0.9, 0.12).and(tone(audio, 0.0, 2350.0, 0.5, 0.04)),
        Sound::Nope => tone(audio, 0.0, 196.0, 0.12, 0.12),
    }
}

/// A note that dies away.
fn tone(audio: &AudioContext, after: f64, pitch: f32, lasts: f64, loud: f32) -> Heard {
    let start = audio.current_time() + after;
    let (note, gain) = (audio.create_oscillator()?, audio.create_gain()?);
    note.set_type(OscillatorType::Sine);
    note.frequency().set_value(pitch);
    gain.gain().set_value_at_time(loud, start)?;
    gain.gain().exponential_ramp_to_value_at_time(0.001, start + lasts)?;
    note.connect_with_audio_node(&gain)?;
    gain.connect_with_audio_node(&audio.destination())?;
    note.start_with_when(start)?;
    note.stop_with_when(start + lasts)
}

/// A short noise through a filter: wood, bone, clay.
fn knock(audio: &AudioContext, after: f64, pitch: f64, lasts: f64, loud: f32) -> Heard {
    let start = audio.current_time() + after;
    let rate = audio.sample_rate();
    let length = (f64::from(rate) * lasts) as u32 + 1;
    let buffer = audio.create_buffer(1, length, rate)?;
    let noise: Vec<f32> = (0..length)
        .map(|at| (js_sys::Math::random() as f32 * 2.0 - 1.0) * (1.0 - at as f32 / length as f32).powi(3))
        .collect();
    buffer.copy_to_channel(&noise, 0)?;
    let (source, filter, gain) =
        (audio.create_buffer_source()?, audio.create_biquad_filter()?, audio.create_gain()?);
    source.set_buffer(Some(&buffer));
    filter.set_type(BiquadFilterType::Bandpass);
    filter.frequency().set_value(pitch as f32);
    gain.gain().set_value(loud);
    source.connect_with_audio_node(&filter)?;
    filter.connect_with_audio_node(&gain)?;
    gain.connect_with_audio_node(&audio.destination())?;
    source.start_with_when(start)
}
