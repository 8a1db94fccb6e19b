import { Notice } from '@/components/ui/notice'

/** Says why the form below cannot work when scripts are off. */
export function NoScript() {
  return (
    <noscript>
      <div className="mb-5">
        <Notice tone="danger">Signing in needs JavaScript. Allow it for this site and load the page again.</Notice>
      </div>
    </noscript>
  )
}
