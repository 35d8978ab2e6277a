import { useState } from 'react'
import type { Handle } from '#app/access.server.ts'
import { viewerOf } from '#app/page-access.server.ts'
import { StaffOnly } from '#app/users/access-requests/staff-only.tsx'
import { useView } from '#app/ui/admin/use-view.tsx'
import { onNewPath } from '#app/platform/browser/revalidate.ts'
import type { Redirect, RedirectBody } from '#app/redirects/rules/redirect.ts'
import { areas } from '#app/content/areas.ts'
import { pageMeta } from '#app/content/page-meta.ts'
import { Later, laterCode, LaterDialog } from '#app/ui/later-code.tsx'
import { Page } from '#app/ui/page.tsx'
import { Tabs } from '#app/ui/tabs.tsx'
import { RedirectActions } from './redirect-actions.tsx'
import { RedirectList } from './redirect-list.tsx'
import type { Route } from './+types/redirects.page.ts'

const formCode = laterCode('The form', () => import('./redirect-form.tsx'))
const missingCode = laterCode('The list', () => import('./not-found-list.tsx'))

export const handle = { access: 'redirects.write', isExplained: true } satisfies Handle

export function loader({ context }: Route.LoaderArgs) {
  const { isTheirs } = viewerOf(context)
  return { isTheirs }
}

/** Tabs, searches and pages of the list do not change the current user. */
export const shouldRevalidate = onNewPath

export const meta = () => pageMeta({ title: areas.redirects.name, index: false })

export default function RedirectsPage({ loaderData: { isTheirs } }: Route.ComponentProps) {
  return isTheirs ? <RedirectManagement /> : <StaffOnly area="redirects" />
}

/** An existing redirect, or initial values of a new one. */
type Open = { redirect: Redirect } | { begin: Partial<RedirectBody> }

/** Filters of one tab mean nothing in the other. */
const nothingChosen = Object.fromEntries(['q', 'show', 'days', 'sort', 'visitors', 'ignored'].map((name) => [name, undefined]))

function RedirectManagement() {
  const { params, change } = useView()
  const [open, setOpen] = useState<Open>()
  // The address opens a new one, for the search of the workspace.
  const shown = open ?? (params.get('new') === 'redirect' ? { begin: {} } : undefined)
  const close = () => {
    setOpen(undefined)
    if (params.has('new')) change({ new: undefined }, { replace: true })
  }
  const create = (begin: Partial<RedirectBody> = {}) => setOpen({ begin })
  const tabs = [
    { value: 'list', label: 'Redirects', content: <RedirectList create={create} edit={(redirect) => setOpen({ redirect })} /> },
    {
      value: 'missing',
      label: 'Not found',
      content: <Later code={missingCode}>{({ NotFoundList }) => <NotFoundList create={create} />}</Later>,
    },
  ]
  const tab = params.get('tab') === 'missing' ? 'missing' : 'list'
  return (
    <Page
      kind="work"
      title={areas.redirects.title}
      // On a phone the guide below says it, and the rows begin higher.
      intro={<span className="max-sm:hidden">{areas.redirects.purpose}</span>}
      actions={<RedirectActions create={create} />}
    >
      <div className="grid grid-cols-1 gap-2 sm:gap-3">
        <RedirectGuide />
        <Tabs
          label="Redirects"
          tabs={tabs}
          value={tab}
          onValueChange={(value) => change({ ...nothingChosen, tab: value === 'list' ? undefined : value }, { replace: true })}
        />
      </div>
      {shown && (
        <LaterDialog code={formCode} onClose={close}>
          {({ RedirectForm }) => <RedirectForm {...shown} close={close} />}
        </LaterDialog>
      )}
    </Page>
  )
}

function RedirectGuide() {
  return (
    <section aria-labelledby="guide" className="rounded-card border border-l-4 border-line border-l-grain bg-surface px-4 text-small">
      <details>
        <summary className="py-1 sm:py-2 marker:text-muted">
          <h2 id="guide" className="inline font-sans text-small font-semibold tracking-normal">
            301 Redirects Guide
          </h2>{' '}
          <span className="text-muted">
            Redirects are <strong className="font-medium text-ink">processed in the order they appear</strong>.{' '}
            <span className="max-sm:sr-only">The first active redirect that matches an address applies.</span>
          </span>
        </summary>
        <ul className="grid list-disc gap-x-8 gap-y-1 pb-3 pl-5 text-muted marker:text-grain lg:grid-cols-2">
          <li>Redirects take precedence over pages. The workspace, sign-in, the API and site files are never redirected.</li>
          <li>Use 301/308 for permanent moves, 302/307 for temporary ones. After a permanent move, search engines show the new URL.</li>
        </ul>
      </details>
    </section>
  )
}
