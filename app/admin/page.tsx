import { redirect } from 'next/navigation'

/** Nobody but an administrator gets here. */
export default function AdminPage() {
  redirect('/admin/accounts')
}
