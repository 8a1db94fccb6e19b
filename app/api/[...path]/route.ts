import { notFound } from '@/lib/http/route'

// Answers every path under /api that neither the table of endpoints nor a fork's own route file has, where Next serves alone:
// server.ts answers them without Next.
export {
  notFound as DELETE,
  notFound as GET,
  notFound as HEAD,
  notFound as OPTIONS,
  notFound as PATCH,
  notFound as POST,
  notFound as PUT,
}
