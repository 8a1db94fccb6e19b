import { revalidatePath } from 'next/cache'
import { requireUser } from '../../auth'

const notes: { owner: string; text: string }[] = []

async function add(form: FormData) {
  'use server'
  // An Action is an endpoint that anybody can call, whatever page its form is on.
  const { id } = await requireUser()
  notes.push({ owner: id, text: `${form.get('text')}` })
  revalidatePath('/notes')
}

export default async function Notes() {
  const { id, name } = await requireUser()
  return (
    <form action={add}>
      <h1>Notes of {name}</h1>
      {notes
        .filter(({ owner }) => owner === id)
        .map(({ text }) => (
          <p key={text}>{text}</p>
        ))}
      <input name="text" aria-label="Note" /> <button type="submit">Add</button>
    </form>
  )
}
