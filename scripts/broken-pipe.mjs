// A reader may leave early (`npm run doctor | head -1`): the work goes on, and its exit code stays its own.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (/** @type {NodeJS.ErrnoException} */ error) => {
    if (error.code !== 'EPIPE') throw error
  })
