import { passkeyEndpoints } from '@/lib/web/well-known'

export const dynamic = 'force-dynamic'
export const GET = passkeyEndpoints
