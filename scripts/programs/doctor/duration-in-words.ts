/** "168 h", "15 min" */
export const durationInWords = (seconds: number) =>
  seconds % 3600 === 0 ? `${seconds / 3600} h` : `${seconds / 60} min`
