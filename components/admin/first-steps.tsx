import { CheckIcon } from '@/components/ui/icons/form-icons'
import type { Words } from '@/lib/messages/en'

/** What stands already, which tells what is left to do. */
export interface Standing {
  /** Somebody else is here, or invited */
  hasPeople: boolean
  hasApps: boolean
  hasSecondAdministrator: boolean
}

/** The way from an empty server to one that people use. Nothing is stored of it: it goes away once all of it stands. */
export function FirstSteps({ standing, words }: { standing: Standing; words: Words['firstSteps'] }) {
  const { hasPeople, hasApps, hasSecondAdministrator } = standing
  if (hasPeople && hasApps && hasSecondAdministrator) return null
  const steps = [
    { ...words.people, href: '/admin/invitations?invite', isDone: hasPeople },
    { ...words.app, href: '/admin/apps?add', isDone: hasApps },
    { ...words.second, href: '/admin/groups/admins', isDone: hasSecondAdministrator },
  ]
  const next = steps.findIndex(({ isDone }) => !isDone)
  return (
    <section
      aria-labelledby="first-steps"
      className="mb-8 rounded-card border border-line bg-surface px-card py-4 shadow-raised"
    >
      <h2 id="first-steps" className="text-title font-semibold">
        {words.title}
      </h2>
      <ol className="mt-3 grid grid-cols-1 gap-3 lg:grid-cols-3">
        {steps.map(({ title, text, href, isDone }, index) => (
          <li key={href} className="flex gap-3">
            <span
              aria-hidden="true"
              className={`grid size-7 shrink-0 place-items-center rounded-full text-small font-semibold ${isDone ? 'bg-success-wash text-success' : index === next ? 'bg-accent text-on-accent' : 'bg-sunken text-muted'}`}
            >
              {isDone ? <CheckIcon /> : index + 1}
            </span>
            <div className="min-w-0">
              {isDone ? (
                <p className="font-medium text-muted">
                  <span className="sr-only">{words.done} </span>
                  {title}
                </p>
              ) : (
                <a href={href} className="inline-flex min-h-7 font-medium text-accent hover:underline">
                  {title}
                </a>
              )}
              {!isDone && <p className="text-small text-muted">{text}</p>}
            </div>
          </li>
        ))}
      </ol>
    </section>
  )
}
