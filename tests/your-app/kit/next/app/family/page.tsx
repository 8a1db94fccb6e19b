import { requireUser } from '../../auth'

export default async function Family() {
  const { name } = await requireUser({ group: 'family' })
  return <h1>The family of {name}</h1>
}
