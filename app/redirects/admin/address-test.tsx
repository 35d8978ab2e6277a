import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { z } from 'zod/mini'
import { apiQuery, apiRequest } from '#app/platform/browser/api.ts'
import { redirectResolution, type RedirectResolution, redirectTest } from '#app/redirects/rules/redirect-request.ts'
import { redirect, REDIRECTS } from '#app/redirects/rules/redirect.ts'
import { Badge } from '#app/ui/badge.tsx'
import { Button } from '#app/ui/button.tsx'
import { Field } from '#app/ui/field.tsx'
import { FormDialog } from '#app/ui/admin/form-dialog.tsx'
import { useForm } from '#app/ui/admin/use-form.ts'
import { Input } from '#app/ui/input.tsx'
import { useCollapse } from './known-problems.tsx'

/** Shows which redirect matches an address, and each step from there. */
export function AddressTest({ close }: { close: () => void }) {
  const [tested, setTested] = useState<{ url: string; way: RedirectResolution }>()
  const ask = async (url: string) => {
    const answer = await apiRequest('POST', `${REDIRECTS}/test`, { url })
    setTested({ url, way: redirectResolution.parse(await answer.json()) })
  }
  const form = useForm({ schema: redirectTest, send: async ({ url }) => ask(url), failed: 'Address not tested' })
  return (
    <FormDialog form={form} onClose={close} title="Test a URL" submit="Test" pending="Testing...">
      <Field label="Address" name="url" hint="A path of this site, or the whole address. Inactive redirects are passed over.">
        <Input
          className="font-mono text-small"
          spellCheck={false}
          autoCapitalize="none"
          autoComplete="off"
          placeholder="/old-page?from=mail"
        />
      </Field>
      <div role="status" className="grid gap-4">
        {tested && <Way way={tested.way} tested={tested.url} again={() => void ask(tested.url)} />}
      </div>
    </FormDialog>
  )
}

const endings: Record<RedirectResolution['end'], string> = {
  page: 'This URL has a page.',
  missing: 'This URL has no page.',
  outside: 'The redirect ends at another site.',
  loop: 'The redirects form a loop: visitors get the page or a 404.',
  protected: 'Redirects never apply to this URL.',
}

function Way({ way: { hops, end, location, statusCode }, tested, again }: { way: RedirectResolution; tested: string; again: () => void }) {
  const list = useQuery(apiQuery(REDIRECTS, z.array(redirect)))
  const collapse = useCollapse()
  const placeOf = (id: string) => (list.data?.findIndex((row) => row.id === id) ?? -1) + 1
  const [winner] = hops
  if (!winner) {
    return (
      <p className="text-small">
        No redirect matches <span className="font-mono wrap-anywhere">{tested}</span>. {endings[end]}
      </p>
    )
  }
  return (
    <>
      <p className="text-small">
        Number {placeOf(winner.id)} wins: <span className="font-mono wrap-anywhere">{list.data?.[placeOf(winner.id) - 1]?.fromPath}</span>.{' '}
        {location && `Visitors get a single redirect to the end, with status ${statusCode}.`}
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
