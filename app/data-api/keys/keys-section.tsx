import { useQuery } from '@tanstack/react-query'
import { PencilIcon, RotateCwIcon, Trash2Icon } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { z } from 'zod/mini'
import { AccountSection } from '#app/account/settings/account-section.tsx'
import { RowButton } from '#app/ui/admin/data-table.tsx'
import { ListPage } from '#app/ui/admin/list-page.tsx'
import { apiQuery } from '#app/platform/browser/api.ts'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { apiKey, type ApiKey, KEYS, type MadeKey } from './api-key.ts'
import { KeyDialog, type OpenKey } from './key-dialogs.tsx'
import { keyLook } from './key-look.tsx'
import { OrganizationKeys } from './organization-keys.tsx'
import { MakeKeyDialog } from './make-key-dialog.tsx'
import { ShownKeyDialog } from './shown-key-dialog.tsx'

const works = ({ state }: ApiKey) => state === 'live' || state === 'replaced'

export function KeysSection() {
  const keys = useQuery(apiQuery(KEYS, z.array(apiKey)))
  const [making, setMaking] = useState(false)
  const [open, setOpen] = useState<OpenKey>()
  const [shown, setShown] = useState<MadeKey>()
  const working = keys.data?.filter(works)
  const make = (
    <Button type="button" onClick={() => setMaking(true)}>
      Create API key
    </Button>
  )
  return (
    <div className="grid grid-cols-1 gap-6">
      <AccountSection
        id="keys"
        title="API keys"
        intro={
          <>
            Use API keys to access your datasets from code. Keys are read-only and can’t change your account.{' '}
            <Link to="/developers" className="link">
              How to use API keys
            </Link>
          </>
        }
      >
        <ListPage
          {...keyLook}
          list={keys}
          rows={working}
          tools={make}
          emptyAction={make}
          opens={(key) => ({ act: () => setOpen({ apiKey: key, open: 'usage' }) })}
          renderActions={(key) => <KeyActions apiKey={key} open={setOpen} />}
          actionCount={3}
          menuOf={(key) => [
            { label: 'Usage', act: () => setOpen({ apiKey: key, open: 'usage' }) },
            { label: 'Rename', act: () => setOpen({ apiKey: key, open: 'rename' }) },
            ...(key.state === 'live' ? [{ label: 'Rotate', act: () => setOpen({ apiKey: key, open: 'rotate' }) }] : []),
            { label: 'Revoke', startsGroup: true, isDanger: true, act: () => setOpen({ apiKey: key, open: 'revoke' }) },
          ]}
        />
      </AccountSection>
      <OrganizationKeys />
      {keys.data && <Ended keys={keys.data.filter((key) => !works(key))} />}
      {open && <KeyDialog {...open} close={() => setOpen(undefined)} show={setShown} />}
      {making && (
        <MakeKeyDialog
          close={() => setMaking(false)}
          done={(made) => {
            setMaking(false)
            setShown(made)
          }}
        />
      )}
      {shown && <ShownKeyDialog made={shown} close={() => setShown(undefined)} />}
    </div>
  )
}

function KeyActions({ apiKey: key, open }: { apiKey: ApiKey; open: (next: OpenKey) => void }) {
  const name = keyLook.nameOf(key)
  return (
    <>
      <RowButton label={`Rename ${name}`} onClick={() => open({ apiKey: key, open: 'rename' })}>
        <PencilIcon aria-hidden="true" />
      </RowButton>
      {key.state === 'live' && (
        <RowButton label={`Rotate ${name}`} onClick={() => open({ apiKey: key, open: 'rotate' })}>
          <RotateCwIcon aria-hidden="true" />
        </RowButton>
      )}
      <RowButton label={`Revoke ${key.name} ${key.prefix}`} onClick={() => open({ apiKey: key, open: 'revoke' })}>
        <Trash2Icon aria-hidden="true" />
      </RowButton>
    </>
  )
}

/** Ended keys stay listed for 30 days, so a key found in a program can still be identified. */
function Ended({ keys }: { keys: ApiKey[] }) {
  if (keys.length === 0) return null
  return (
    <Card as="section" aria-labelledby="ended-title">
      <details>
        <summary id="ended-title" className="w-fit py-1.5 font-semibold">
          Keys that ended in the last 30 days ({keys.length})
        </summary>
        <ul className="mt-3 grid gap-2 text-small">
          {keys.map(({ id, name, prefix, state }) => (
            <li key={id} className="flex flex-wrap items-baseline gap-x-3 text-muted">
              <span className="font-semibold text-ink">{name}</span>
              <code className="font-mono text-fine">{prefix}…</code>
              {state}
            </li>
          ))}
        </ul>
      </details>
    </Card>
  )
}
