import { href } from 'react-router'
import { z } from 'zod/mini'
import { may, type Handle } from '#app/access.server.ts'
import { viewerOf } from '#app/page-access.server.ts'
import { NotYours } from '#app/users/access-requests/not-yours.tsx'
import { ButtonLink } from '#app/ui/button-link.tsx'
import { pageMeta } from '#app/content/page-meta.ts'
import { apiQuery } from '#app/platform/browser/api.ts'
import { usePageQuery } from '#app/platform/browser/use-page-query.ts'
import { onNewPath } from '#app/platform/browser/revalidate.ts'
import { useView } from '#app/ui/admin/use-view.tsx'
import { Failed } from '#app/ui/failed.tsx'
import { Later, laterCode } from '#app/ui/later-code.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { Page } from '#app/ui/page.tsx'
import { SectionNav } from '#app/ui/section-nav.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { ShowFirstSteps } from '#app/workspace/first-steps-panel.tsx'
import type { Route } from './+types/settings.page.ts'
import { Connections } from './connections.tsx'
import { listedSection, SETTINGS } from './settings.ts'

const sectionCode = laterCode('The section', () => import('./section-panel.tsx'))

export const handle = { access: 'settings.read', isExplained: true } satisfies Handle

export function loader({ context }: Route.LoaderArgs) {
  const { viewer, isTheirs } = viewerOf(context)
  return { isTheirs, mayWrite: may(viewer, 'settings.write') }
}

/** Another section does not change the signed-in person. */
export const shouldRevalidate = onNewPath

export const meta = () => pageMeta({ title: 'Settings', index: false })

export default function SettingsPage({ loaderData: { isTheirs, mayWrite } }: Route.ComponentProps) {
  return isTheirs ? <Settings mayWrite={mayWrite} /> : <NotForYou />
}

const uses = ['Set name, prices, questions and testimonials', 'Upload a logo and choose the accent color', 'Restore an earlier version']

function NotForYou() {
  return (
    <NotYours
      title="Settings"
      purpose="Your business as visitors see it."
      uses={uses}
      needs="Only the owner can change the site. You can manage your own account."
    >
      <ButtonLink to={href('/account')} look="quiet">
        Open your account
      </ButtonLink>
    </NotYours>
  )
}

const CONNECTIONS = 'connections'

function Settings({ mayWrite }: { mayWrite: boolean }) {
  const sections = usePageQuery(apiQuery(SETTINGS, z.array(listedSection)))
  const { params } = useView()
  const wanted = params.get('section') ?? sections.data?.[0]?.section
  const known = sections.data?.some(({ section }) => section === wanted)
  return (
    <Page
      kind="work"
      title="Settings"
      actions={mayWrite && <ShowFirstSteps />}
      intro={mayWrite ? 'Your business as visitors see it. Changes are public when you save them.' : 'Only the owner can change these.'}
    >
      {sections.isPending && (
        <>
          <Loading>Loading the settings...</Loading>
          <Skeleton lines={8} />
        </>
      )}
      {sections.isError && <Failed error={sections.error} retry={sections.refetch} />}
      {sections.data && (
        <div className="grid grid-cols-1 items-start gap-x-8 gap-y-4 lg:grid-cols-[13rem_minmax(0,46rem)]">
          <SectionNav
            label="Settings"
            places={[...sections.data, { section: CONNECTIONS, title: 'Email and calls', hasDraft: false }].map(
              ({ section, title, hasDraft }) => ({
                to: `?section=${section}`,
                label: title,
                note: hasDraft ? 'draft' : undefined,
                isCurrent: section === wanted,
              }),
            )}
          />
          {wanted === CONNECTIONS || !known || wanted === undefined ? (
            <Connections mayWrite={mayWrite} />
          ) : (
            <Later code={sectionCode}>{({ SectionPanel }) => <SectionPanel key={wanted} section={wanted} mayWrite={mayWrite} />}</Later>
          )}
        </div>
      )}
    </Page>
  )
}
