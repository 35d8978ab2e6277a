import { data } from 'react-router'
import type { Handle } from '#app/access.server.ts'
import { pageMeta } from '#app/content/page-meta.ts'
import { verifyTexts as words } from '#app/content/proposals.ts'
import { isWithin, type Limit, visitorKey } from '#app/platform/guard/limits.server.ts'
import { requestContextOf } from '#app/platform/http/request-context.server.ts'
import { longDay } from '#app/platform/time/english-date.ts'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { Field } from '#app/ui/field.tsx'
import { Input, Textarea } from '#app/ui/input.tsx'
import { Page } from '#app/ui/page.tsx'
import type { Route } from './+types/verify.page.ts'
import { findByFingerprint } from './signed-file.server.ts'
import { isOurSignature, publicSigningKey } from './signing-key.server.ts'

const limit: Limit = { name: 'verify', points: 60, seconds: 600 }
const HASH = /^[\da-f]{64}$/

export const handle = { access: 'public' } satisfies Handle

export const headers = () => ({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' })

export const meta = () => pageMeta({ title: words.title, index: false })

type Result = { isGenuine: boolean; title: string; text: string; facts: [string, string][] }

export async function loader({ request, context }: Route.LoaderArgs) {
  const search = new URL(request.url).searchParams
  const hash = (search.get('hash') ?? '').trim().toLowerCase()
  const jws = (search.get('jws') ?? '').trim()
  const isAsked = search.has('hash')
  const isAllowed = !isAsked || (await isWithin(limit, visitorKey(requestContextOf(context).address)))
  const fileErrors: Record<string, string> = { none: words.results.noFile, large: words.results.large, often: words.results.often }
  return data(
    {
      hash: search.get('hash') ?? '',
      jws,
      fileError: fileErrors[search.get('file') ?? ''],
      hashError: !isAllowed ? words.results.often : isAsked && !HASH.test(hash) ? words.results.badHash : undefined,
      result: isAllowed && HASH.test(hash) ? await check(hash, jws) : undefined,
      key: JSON.stringify(await publicSigningKey()),
    },
    { headers: headers() },
  )
}

/** A signature is checked with our key; without one, the fingerprint is looked up among the files that we have signed. */
async function check(hash: string, jws: string): Promise<Result> {
  const known = await findByFingerprint(hash)
  const { results, facts: labels } = words
  const isGenuine = jws ? await isOurSignature(hash, jws) : known !== undefined && (await isOurSignature(hash, known.jws))
  if (!isGenuine) {
    const [title, text] = jws ? [results.badSignature, results.badSignatureText] : [results.unknown, results.unknownText]
    return { isGenuine, title, text, facts: [] }
  }
  const facts: [string, string][] = known
    ? [
        [labels.proposal, `${known.reference}, version ${known.number}`],
        [labels.signed, known.settledAt ? longDay(known.settledAt) : ''],
        [labels.counter, known.kind === 'countersigned' ? labels.yes : labels.no],
      ]
    : []
  return { isGenuine, title: results.genuine, text: results.genuineText, facts }
}

export default function VerifyPage({ loaderData: { hash, jws, fileError, hashError, result, key } }: Route.ComponentProps) {
  return (
    <Page kind="text" title={words.title} intro={words.intro}>
      <div className="grid grid-cols-1 gap-8">
        {result && <ResultCard result={result} />}
        <section aria-labelledby="file" className="grid gap-3">
          <h2 id="file" className="text-h3">
            {words.file.title}
          </h2>
          <form method="post" action="/verify/file" encType="multipart/form-data" noValidate className="grid gap-3">
            <Field label={words.file.label} name="file" hint={words.file.hint} error={fileError}>
              <Input type="file" accept=".pdf,application/pdf" />
            </Field>
            <Button className="justify-self-start">{words.file.submit}</Button>
          </form>
        </section>
        <section aria-labelledby="paste" className="grid gap-3 border-t border-line pt-8">
          <h2 id="paste" className="text-h3">
            {words.paste.title}
          </h2>
          <form method="get" action="/verify#result" noValidate className="grid gap-3">
            <Field label={words.paste.hash} name="hash" hint={words.paste.hashHint} error={hashError}>
              <Input autoComplete="off" spellCheck={false} defaultValue={hash} className="font-mono text-small" />
            </Field>
            <Field label={words.paste.jws} name="jws" optional hint={words.paste.jwsHint}>
              <Textarea rows={3} spellCheck={false} defaultValue={jws} className="min-h-24! font-mono text-small" />
            </Field>
            <Button look="quiet" className="justify-self-start">
              {words.paste.submit}
            </Button>
          </form>
        </section>
        <p className="text-small text-muted">
          {words.facts.key}: <code className="wrap-anywhere">{key}</code>
        </p>
      </div>
    </Page>
  )
}

function ResultCard({ result: { isGenuine, title, text, facts } }: { result: Result }) {
  return (
    <Card
      as="section"
      id="result"
      aria-labelledby="result-title"
      className={`grid gap-2 ${isGenuine ? 'border-leaf bg-leaf-wash' : 'border-alarm bg-alarm-wash'}`}
    >
      <h2 id="result-title" className="text-h3">
        {title}
      </h2>
      <p>{text}</p>
      {facts.length > 0 && (
        <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-1.5">
          {facts.map(([label, value]) => (
            <div key={label} className="contents">
              <dt className="text-muted">{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
    </Card>
  )
}
