export const duration = (seconds: number) => (seconds % 3600 === 0 ? `${seconds / 3600} h` : `${seconds / 60} min`)
