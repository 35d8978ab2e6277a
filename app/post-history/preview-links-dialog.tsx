import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { newPreviewLink, type NewPreviewLink, type PreviewLink } from '#app/drafts/preview.ts'
import { apiQuery, apiRequest } from '#app/platform/api.ts'
import { tellFailure } from '#app/post-writing/post-answers.ts'
import { postUrl } from '#app/post-writing/post-url.ts'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { Failed } from '#app/ui/failed.tsx'
import { Field } from '#app/ui/field.tsx'
import { Select } from '#app/ui/input.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { formatMoment } from '#app/ui/moment.ts'
import { NewLink } from './new-link.tsx'

const lengths = [
  { days: 1, label: 'One day' },
  { days: 7, label: 'A week' },
  { days: 30, label: '30 days' },
]

/** Links that show the draft to someone without an account, until they expire or are taken back. */
export function PreviewLinksDialog({ postId, onClose }: { postId: string; onClose: () => void }) {
  const url = `${postUrl(postId)}/preview-links`
  const list = useQuery({ ...apiQuery<PreviewLink[]>(url), gcTime: 0 })
  const [days, setDays] = useState('7')
  const [made, setMade] = useState<NewPreviewLink>()
  const make = useMutation({
    mutationFn: async () => newPreviewLink.parse(await (await apiRequest('POST', url, { days: Number(days) })).json()),
    async onSuccess(link) {
      setMade(link)
      await list.refetch()
    },
    onError: (error) => tellFailure('Link not made', error),
  })
  return (
    <Dialog open side onClose={onClose} title="Preview links">
      <div className="grid gap-6">
        <p className="text-small text-muted">
          Whoever has such a link sees the draft as it is at that moment, without an account. Search engines do not.
        </p>
        <div className="flex flex-wrap items-end gap-3">
          <div className="grow">
            <Field label="Good for" name="days" id="preview-days" tool>
              <Select value={days} onChange={(event) => setDays(event.target.value)}>
                {lengths.map((each) => (
                  <option key={each.days} value={each.days}>
                    {each.label}
                  </option>
                ))}
              </Select>
            </Field>
          </div>
          <Button type="button" busy={make.isPending} onClick={() => make.mutate()}>
            {make.isPending ? 'Making...' : 'Make a link'}
          </Button>
        </div>
        {made && <NewLink link={made} />}
        {list.isPending && <Loading>Loading links...</Loading>}
        {list.isError && <Failed error={list.error} retry={list.refetch} />}
        {list.data && (
          <Links url={url} links={list.data} onRevoked={(id) => made?.id === id && setMade(undefined)} refetch={list.refetch} />
        )}
      </div>
    </Dialog>
  )
}

type LinksProps = { url: string; links: PreviewLink[]; onRevoked: (id: string) => void; refetch: () => Promise<unknown> }

function Links({ url, links, onRevoked, refetch }: LinksProps) {
  const revoke = useMutation({
    mutationFn: async (id: string) => apiRequest('DELETE', `${url}/${id}`),
    async onSuccess(_answer, id) {
      onRevoked(id)
      await refetch()
    },
    onError: (error) => tellFailure('Link not taken back', error),
  })
  if (links.length === 0) return <p className="text-small text-muted">No link works at the moment.</p>
  return (
    <ul aria-label="Links that work" className="grid">
      {links.map(({ id, createdBy, createdAt, expiresAt }) => (
        <li key={id} className="flex flex-wrap items-center justify-between gap-3 border-t border-line py-3 text-small">
          <p>
            {createdBy ?? 'Someone who has left'}, {formatMoment(createdAt)}
            <span className="block text-muted">Works until {formatMoment(expiresAt)}</span>
          </p>
          <Button
            type="button"
            look="quiet"
            size="small"
            aria-label={`Take back the link of ${formatMoment(createdAt)}`}
            busy={revoke.isPending && revoke.variables === id}
            onClick={() => revoke.mutate(id)}
          >
            Take back
          </Button>
        </li>
      ))}
    </ul>
  )
}
