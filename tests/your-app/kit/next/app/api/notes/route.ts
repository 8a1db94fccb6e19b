import { withUser } from '../../../auth'

export const GET = withUser(async (_request, { user }) => Response.json({ owner: user.id }))
