const TONES_HZ = [330, 220];
const TONE_S = 0.14;
const VOLUME = 0.25;

let audio: AudioContext | undefined;

/** Sounds two falling tones. The browser allows it after the first key. */
export function soundAlarm(): void {
  audio ??= new AudioContext();
  const begin = audio.currentTime;
  TONES_HZ.forEach((frequency, index) => {
    if (!audio) return;
    const tone = new OscillatorNode(audio, { type: 'square', frequency });
    tone.connect(new GainNode(audio, { gain: VOLUME })).connect(audio.destination);
    tone.start(begin + index * TONE_S);
    tone.stop(begin + (index + 1) * TONE_S);
  });
}
