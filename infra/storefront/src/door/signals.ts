let audio: AudioContext | undefined;

/** Enables sounds. Browsers require the call to come from a click. */
export function enableSounds(): void {
  audio ??= new AudioContext();
  void audio.resume();
}

/** Plays one high beep for an admission and two low ones for any other result. Phones also vibrate. */
export function signalResult(isAdmitted: boolean): void {
  navigator.vibrate?.(isAdmitted ? 80 : [200, 100, 200]);
  if (isAdmitted) beep(1_320, 0, 0.12);
  else for (const delay of [0, 0.3]) beep(220, delay, 0.2);
}

/** Plays a tone of `length` seconds, `delay` seconds from now. */
function beep(hertz: number, delay: number, length: number): void {
  if (audio?.state !== 'running') return;
  const startTime = audio.currentTime + delay;
  const oscillator = new OscillatorNode(audio, { frequency: hertz, type: 'square' });
  const volume = new GainNode(audio, { gain: 0.2 });
  oscillator.connect(volume).connect(audio.destination);
  oscillator.start(startTime);
  oscillator.stop(startTime + length);
}
