import { changePassword } from '@/lib/web/well-known'

export const dynamic = 'force-dynamic'
export const GET = changePassword
