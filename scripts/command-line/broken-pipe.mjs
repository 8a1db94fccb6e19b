// Keeps running, with the right exit code, when the reader closes the pipe early (`npm run doctor | head -1`).
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (/** @type {NodeJS.ErrnoException} */ error) => {
    if (error.code !== 'EPIPE') throw error
  })
