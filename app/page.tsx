import { headers } from 'next/headers'
import { redirect } from 'next/navigation'
import { currentAccount } from '@/lib/http/page-data'

export default async function Home() {
  redirect((await currentAccount(await headers())) ? '/profile' : '/signin')
}
