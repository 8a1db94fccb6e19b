import { notFound } from '@/lib/http/error-routes'
import { forEveryMethod } from '@/lib/http/every-method'

// Every path under /api that neither the table of endpoints nor a fork's own route file answers, where Next serves alone: server.ts
// answers them without Next.
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = forEveryMethod(notFound)
