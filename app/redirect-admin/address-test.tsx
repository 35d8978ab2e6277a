import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { apiQuery, apiRequest } from '#app/platform/api.ts'
import { redirectWay, type RedirectWay } from '#app/redirects/redirect-request.ts'
import { type Redirect, REDIRECTS } from '#app/redirects/redirect.ts'
import { Badge } from '#app/ui/badge.tsx'
import { Button } from '#app/ui/button.tsx'
import { Field } from '#app/ui/field.tsx'
import { FormDialog } from '#app/ui/form-dialog.tsx'
import { Input } from '#app/ui/input.tsx'
import { useCollapse } from './known-problems.tsx'
import { refusedFields, sentenceOf } from '#app/redirect-import/redirect-answers.ts'

/** What becomes of an address: which redirect answers it, and every step from there. */
export function AddressTest({ close }: { close: () => void }) {
  const test = useMutation({
    mutationFn: async (url: string) => {
      const answer = await apiRequest('POST', `${REDIRECTS}/test`, { url })
      return redirectWay.parse(await answer.json())
    },
  })
  const [tested, setTested] = useState('')
  const error = test.error ? (refusedFields(test.error)['url'] ?? sentenceOf(test.error)) : undefined
  const ask = (url: string) => {
    setTested(url)
    test.mutate(url)
  }
  return (
    <FormDialog onClose={close} title="Test an address" submit="Test" busy={test.isPending} onSubmit={({ url = '' }) => ask(url)}>
      <Field label="Address" name="url" error={error} hint="A path of this site, or the whole address. Inactive redirects are passed over.">
        <Input
          className="font-mono text-small"
          spellCheck={false}
          autoCapitalize="none"
          autoComplete="off"
          placeholder="/old-page?from=mail"
        />
      </Field>
      <div role="status" className="grid gap-4">
        {test.data && <Way way={test.data} tested={tested} again={() => ask(tested)} />}
      </div>
    </FormDialog>
  )
}

const endings: Record<RedirectWay['end'], string> = {
  page: 'There is a page.',
  missing: 'There is no page at this address.',
  outside: 'It leads to another site.',
  loop: 'It leads in a circle: visitors get the page, or are told that there is none.',
  protected: 'Redirects never answer here.',
}

function Way({ way: { hops, end, location, statusCode }, tested, again }: { way: RedirectWay; tested: string; again: () => void }) {
  const list = useQuery(apiQuery<Redirect[]>(REDIRECTS))
  const collapse = useCollapse()
  const placeOf = (id: string) => (list.data?.findIndex((redirect) => redirect.id === id) ?? -1) + 1
  const [winner] = hops
  if (!winner) {
    return (
      <p className="text-small">
        No redirect answers <span className="font-mono wrap-anywhere">{tested}</span>. {endings[end]}
      </p>
    )
  }
  return (
    <>
      <p className="text-small">
        Number {placeOf(winner.id)} wins: <span className="font-mono wrap-anywhere">{list.data?.[placeOf(winner.id) - 1]?.fromPath}</span>.{' '}
        {location && `Visitors are sent at once to the end, with status ${statusCode}.`}
      </p>
      <ol aria-label="Steps" className="grid gap-2">
        {hops.map((hop) => (
          <li key={`${hop.id} ${hop.from}`} className="grid gap-1 border-l-2 border-grain pl-3 font-mono text-fine">
            <span className="wrap-anywhere">{hop.from}</span>
            <span className="flex flex-wrap items-center gap-2 wrap-anywhere">
              <Badge>{hop.statusCode}</Badge>
              <span className="text-muted">number {placeOf(hop.id)}</span>→ {hop.to}
            </span>
          </li>
        ))}
      </ol>
      <p className="text-small">{endings[end]}</p>
      {hops.length > 1 && end !== 'loop' && (
        <Button type="button" look="quiet" size="small" className="justify-self-start" onClick={() => collapse(winner.id, again)}>
          Collapse the chain
        </Button>
      )}
    </>
  )
}
