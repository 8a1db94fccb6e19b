/** Prisma's error code and model, read by shape: the process holds several copies of its classes. */
function known(error: unknown): { code: string; modelName: string | undefined } | null {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return null
  const { modelName } = ('meta' in error ? error.meta : undefined) as { modelName?: string }
  return { code: error.code, modelName }
}

/**
 * Whether a unique key refused a write.
 *
 * @param model only if the key is this model's (driver adapters tell the model, not the column)
 */
export function isConflict(error: unknown, model?: string): boolean {
  const { code, modelName } = known(error) ?? {}
  return code === 'P2002' && (model === undefined || modelName === model)
}

/** Whether a row that a write refers to, or was to change, is gone. */
export function isGone(error: unknown): boolean {
  return ['P2003', 'P2025'].includes(known(error)?.code ?? '')
}

/** Whether the database could not be reached, or was busy for too long. */
export function isUnavailable(error: unknown): boolean {
  const { code } = known(error) ?? {}
  return (
    ['P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2034'].includes(code ?? '') ||
    /database is locked|SQLITE_BUSY/.test(String(error))
  )
}
