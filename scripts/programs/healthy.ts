// The health check of the container image: exits with 0 if the server of this container is healthy.
const answer = await fetch(`http://127.0.0.1:${process.env.PORT || 3000}/api/health`).catch(() => null)
process.exitCode = answer?.ok ? 0 : 1

export {}
