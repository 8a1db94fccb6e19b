const [second, minute, hour] = [1_000, 60_000, 3_600_000]

/** After the first attempts; from then on every six hours for three days. */
const waits = [5 * second, minute, 10 * minute, hour, ...Array.from({ length: 12 }, () => 6 * hour)]

/** Milliseconds until the next attempt; null after the last. */
export const waitAfter = (attempts: number): number | null => waits[attempts - 1] ?? null
