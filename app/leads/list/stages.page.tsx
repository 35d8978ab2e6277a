import { may, type Handle } from '#app/access.server.ts'
import { viewerOf } from '#app/page-access.server.ts'
import { pageMeta } from '#app/content/page-meta.ts'
import { LeadsLink } from './leads-link.tsx'
import { Page } from '#app/ui/page.tsx'
import type { Route } from './+types/stages.page.ts'
import { LostReasons } from './lost-reasons.tsx'
import { StageEditor } from './stage-editor.tsx'

export const handle = { access: 'leads.read' } satisfies Handle

export function loader({ context }: Route.LoaderArgs) {
  return { mayWrite: may(viewerOf(context).viewer, 'settings.write') }
}

export const meta = () => pageMeta({ title: 'Stages', index: false })

export default function StagesPage({ loaderData: { mayWrite } }: Route.ComponentProps) {
  return (
    <Page
      kind="work"
      eyebrow={<LeadsLink />}
      title="Stages"
      intro={
        mayWrite
          ? 'The steps from an enquiry to a client, in their order. The probability weighs the value of the leads in a stage.'
          : 'The steps from an enquiry to a client. Only the owner can change them.'
      }
    >
      <StageEditor mayWrite={mayWrite} />
      <LostReasons mayWrite={mayWrite} />
    </Page>
  )
}
