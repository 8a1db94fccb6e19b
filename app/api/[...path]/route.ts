import { notFound } from '@/lib/http/error-routes'

// Every path under /api that neither the table of endpoints nor a fork's own route file answers.
export const [GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS] = Array(7).fill(notFound)
