const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 4000;
const PATIENCE_MS = 60_000;

/**
 * Repeats a request while the network is away, for a minute. The request must be one that does nothing twice. `onLost` is told
 * whether the network is away now.
 */
export async function persist<Answer>(
  ask: () => Promise<Answer>,
  onLost: (isLost: boolean) => void = () => undefined,
): Promise<Answer> {
  const end = Date.now() + PATIENCE_MS;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
    try {
      const answer = await ask();
      onLost(false);
      return answer;
    } catch (error) {
      // `fetch` throws this without an answer; everything else is one.
      if (!(error instanceof TypeError) || Date.now() > end) throw error;
      onLost(true);
      await networkOr(pause);
    }
  }
}

/** Waits until the browser has its network again, or for the pause. */
function networkOr(ms: number): Promise<void> {
  return new Promise((resolve) => {
    addEventListener('online', () => resolve(), { once: true });
    setTimeout(resolve, ms);
  });
}
