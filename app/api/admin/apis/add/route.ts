import { actions } from '@/lib/admin/actions'
import { route } from '@/lib/http/route'

export const POST = route('POST /api/admin/apis/add', actions['/apis/add'])
