import { requireUser } from './auth'

// The Response that requireUser throws becomes the route's.
export async function loader({ request }) {
  const user = await requireUser(request)
  return { name: user.name }
}
