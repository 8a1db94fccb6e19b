/**
 * How fast-check runs in every spec: with the same values each time, so that nothing fails by chance. PROPERTY_SEED and
 * PROPERTY_RUNS try others and more.
 */
export const runsOf = (numRuns: number) => ({
  numRuns: numRuns * Number(process.env.PROPERTY_RUNS ?? 1),
  seed: Number(process.env.PROPERTY_SEED ?? 1),
  endOnFailure: true,
})
