import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { z } from 'zod/mini'
import { newPreviewLink, type NewPreviewLink, previewLink, type PreviewLink } from '#app/blog/posts/preview.ts'
import { apiQuery, apiRequest } from '#app/platform/browser/api.ts'
import { ActionButton } from '#app/ui/admin/action-button.tsx'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { Failed } from '#app/ui/failed.tsx'
import { Field } from '#app/ui/field.tsx'
import { Input, Select } from '#app/ui/input.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { formatMoment } from '#app/ui/moment.ts'
import { postUrl } from '#app/blog/posts/post.ts'

const lengths = [
  { days: 1, label: 'One day' },
  { days: 7, label: 'A week' },
  { days: 30, label: '30 days' },
]

/** Links that show the draft without an account, until they expire or are revoked. */
export function PreviewLinksDialog({ postId, onClose }: { postId: string; onClose: () => void }) {
  const url = `${postUrl(postId)}/preview-links`
  const list = useQuery({ ...apiQuery(url, z.array(previewLink)), gcTime: 0 })
  const [days, setDays] = useState('7')
  const [made, setMade] = useState<NewPreviewLink>()
  const make = {
    send: async () => newPreviewLink.parse(await (await apiRequest('POST', url, { days: Number(days) })).json()),
    onDone: setMade,
    failed: 'Link not created',
    touches: [url],
  }
  return (
    <Dialog open side onClose={onClose} title="Preview links">
      <div className="grid gap-6">
        <p className="text-small text-muted">Anyone with the link can view the current draft. Not indexed by search engines.</p>
        <div className="flex flex-wrap items-end gap-3">
          <div className="grow">
            <Field label="Expires after" name="days" id="preview-days" tool>
              <Select value={days} onChange={(event) => setDays(event.target.value)}>
                {lengths.map((each) => (
                  <option key={each.days} value={each.days}>
                    {each.label}
                  </option>
                ))}
              </Select>
            </Field>
          </div>
          <ActionButton action={make} look="primary" pending="Creating...">
            Create link
          </ActionButton>
        </div>
        {made && <NewLink link={made} />}
        {list.isPending && <Loading>Loading links...</Loading>}
        {list.isError && <Failed error={list.error} retry={list.refetch} />}
        {list.data && <Links url={url} links={list.data} onRevoked={(id) => made?.id === id && setMade(undefined)} />}
      </div>
    </Dialog>
  )
}

type LinksProps = { url: string; links: PreviewLink[]; onRevoked: (id: string) => void }

function Links({ url, links, onRevoked }: LinksProps) {
  const revoke = (id: string) => ({
    send: async () => apiRequest('DELETE', `${url}/${id}`),
    onDone: () => onRevoked(id),
    failed: 'Link not revoked',
    touches: [url],
  })
  if (links.length === 0) return <p className="text-small text-muted">No active links.</p>
  return (
    <ul aria-label="Active links" className="grid">
      {links.map(({ id, createdBy, createdAt, expiresAt }) => (
        <li key={id} className="flex flex-wrap items-center justify-between gap-3 border-t border-line py-3 text-small">
          <p>
            {createdBy ?? 'A former member'}, {formatMoment(createdAt)}
            <span className="block text-muted">Works until {formatMoment(expiresAt)}</span>
          </p>
          <ActionButton action={revoke(id)} size="small" aria-label={`Revoke the link of ${formatMoment(createdAt)}`} pending="Revoking...">
            Revoke
          </ActionButton>
        </li>
      ))}
    </ul>
  )
}

/** Shows the URL of a new link once: only its hash is stored. */
function NewLink({ link: { url, expiresAt } }: { link: NewPreviewLink }) {
  const [copied, setCopied] = useState<string>()
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(url)
      setCopied(url)
    } catch {
      // Without permission for the clipboard the text can still be selected by hand.
      setCopied(undefined)
    }
  }
  return (
    <div className="grid gap-2 rounded-card border border-line bg-sunken p-4">
      <Field
        label="New link"
        name="preview-link"
        id="preview-link"
        tool
        hint={`Copy this link now. You won’t be able to see it again. Expires ${formatMoment(expiresAt)}.`}
      >
        <Input readOnly value={url} onFocus={(event) => event.target.select()} className="font-mono text-small" />
      </Field>
      <div className="flex items-center gap-3">
        <Button type="button" look="quiet" size="small" onClick={() => void copy()}>
          Copy
        </Button>
        <span role="status" className="text-small text-muted">
          {copied === url && 'Copied'}
        </span>
      </div>
    </div>
  )
}
