import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { href } from 'react-router'
import { z } from 'zod/mini'
import type { Handle } from '#app/access.server.ts'
import { viewerOf } from '#app/page-access.server.ts'
import { pageMeta } from '#app/content/page-meta.ts'
import { apiQuery } from '#app/platform/browser/api.ts'
import { onNewPath } from '#app/platform/browser/revalidate.ts'
import { ListPage } from '#app/ui/admin/list-page.tsx'
import { OnceDialog } from '#app/ui/admin/once-dialog.tsx'
import { useView } from '#app/ui/admin/use-view.tsx'
import { withChanges } from '#app/ui/admin/view.ts'
import { ButtonLink } from '#app/ui/button-link.tsx'
import { Button } from '#app/ui/button.tsx'
import { CopyButton } from '#app/ui/copy-button.tsx'
import { Page } from '#app/ui/page.tsx'
import { NotYours } from '#app/users/access-requests/not-yours.tsx'
import type { Route } from './+types/webhooks.page.ts'
import { EndpointForm } from './endpoint-form.tsx'
import { endpointLook } from './endpoint-look.tsx'
import { EndpointPanel } from './endpoint-panel.tsx'
import { type EndpointWithSecret, RELOAD_MS, webhookEndpoint, WEBHOOKS } from './webhook.ts'

export const handle = { access: 'webhooks.manage', isExplained: true } satisfies Handle

export function loader({ context }: Route.LoaderArgs) {
  const { isTheirs } = viewerOf(context)
  return { isTheirs }
}

export const shouldRevalidate = onNewPath

export const meta = () => pageMeta({ title: 'Webhooks', index: false })

const INTRO = 'Send events to other programs as they happen.'
const uses = ['Send new leads and calls to a CRM', 'Post events to a chat channel', 'Replay events that a program missed']

export default function WebhooksPage({ loaderData: { isTheirs } }: Route.ComponentProps) {
  if (isTheirs) return <Endpoints />
  return (
    <NotYours title="Webhooks" purpose={INTRO} uses={uses} needs="Only the owner can manage webhooks. You can manage your own API keys.">
      <ButtonLink to={href('/account/keys')} look="quiet">
        Open API keys
      </ButtonLink>
    </NotYours>
  )
}

function Endpoints() {
  const { params, change } = useView()
  const endpoints = useQuery({
    ...apiQuery(WEBHOOKS, z.array(webhookEndpoint)),
    refetchInterval: ({ state: { data } }) => data?.some(({ pending }) => pending > 0) && RELOAD_MS,
  })
  const [creating, setCreating] = useState(false)
  const [shown, setShown] = useState<EndpointWithSecret>()
  const open = endpoints.data?.find(({ id }) => id === params.get('endpoint'))
  const create = (
    <Button type="button" onClick={() => setCreating(true)}>
      Create endpoint
    </Button>
  )
  const hasSome = endpoints.data !== undefined && endpoints.data.length > 0
  return (
    <Page kind="work" title="Webhooks" intro={INTRO} actions={hasSome && create}>
      <ListPage
        {...endpointLook}
        list={endpoints}
        rows={endpoints.data}
        emptyAction={create}
        opens={({ id }) => ({ to: withChanges(params, { endpoint: id }), isBeside: true })}
      />
      {open && <EndpointPanel key={open.id} endpoint={open} showSecret={setShown} leave={() => change({ endpoint: undefined })} />}
      {creating && <EndpointForm close={() => setCreating(false)} created={setShown} />}
      {shown && <SecretDialog endpoint={shown} close={() => setShown(undefined)} />}
    </Page>
  )
}

/** The only time that a secret is shown. */
function SecretDialog({ endpoint: { label, secret }, close }: { endpoint: EndpointWithSecret; close: () => void }) {
  return (
    <OnceDialog title={`Signing secret: ${label}`} what="this secret" close={close}>
      {(kept) => (
        <>
          <p className="rounded-control border border-line bg-grain-wash px-4 py-3 text-small text-grain-text">
            <strong>Copy this secret now. You won’t be able to see it again.</strong> The receiver needs it to check the signature of each
            event.
          </p>
          <code data-secret className="block rounded-control border border-line bg-sunken px-4 py-3 font-mono text-small wrap-anywhere">
            {secret}
          </code>
          <div>
            <CopyButton text={secret} label="Copy the secret" onCopied={kept} />
          </div>
        </>
      )}
    </OnceDialog>
  )
}
