import { errorRoute } from '@/lib/http/route'

// Every path under /api that neither the table of endpoints nor a fork's own route file answers.
const notFound = errorRoute('not_found')

export {
  notFound as DELETE,
  notFound as GET,
  notFound as HEAD,
  notFound as OPTIONS,
  notFound as PATCH,
  notFound as POST,
  notFound as PUT,
}
