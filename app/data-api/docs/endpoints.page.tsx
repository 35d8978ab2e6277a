import type { Handle } from '#app/access.server.ts'
import { data } from 'react-router'
import { findMember } from '#app/organizations/organization/membership.server.ts'
import { headOf } from '#app/content/seo.ts'
import { requestContextOf } from '#app/platform/http/request-context.server.ts'
import { Button } from '#app/ui/button.tsx'
import { CodeBlock, CodeTabs, DocsFrame, DocsText } from './docs-frame.tsx'
import { type DocsEndpoint, findDocsChoice, listDocsEndpoints } from './reference.server.ts'
import { docsPages, referenceWords } from './reference-words.ts'
import type { Route } from './+types/endpoints.page.ts'

export async function loader({ request, context }: Route.LoaderArgs) {
  const person = await findMember(requestContextOf(context))
  const found = await findDocsChoice(new URL(request.url).searchParams.get('dataset') ?? undefined, person)
  const choice = found ?? (await findDocsChoice(undefined, person))
  if (!choice) return null
  return data({ choice, isSignedIn: person !== undefined, endpoints: await listDocsEndpoints(choice, person) }, found ? 200 : 404)
}

export const handle = { access: 'public', hydration: 'islands', cache: { tags: ['datasets'], query: ['dataset'] } } satisfies Handle

export const meta = () => headOf('/developers/endpoints')

/** One endpoint is open at a time. Its text is on the left, its code on the right. */
export default function EndpointsPage({ loaderData }: Route.ComponentProps) {
  if (!loaderData) return null
  const { choice, endpoints, isSignedIn } = loaderData
  return (
    <DocsFrame title={docsPages[1].label} choice={choice}>
      <div className="grid grid-cols-1 divide-y divide-line border-y border-line">
        {endpoints.map((endpoint, at) => (
          <details key={endpoint.id} name="endpoint" open={at === 0} className="group">
            <summary className="flex min-h-12 items-baseline gap-x-4 py-3 hover:bg-sunken">
              <h2 className="min-w-0 text-body font-semibold tracking-normal">
                {endpoint.title}{' '}
                <span className="ml-2 inline-block font-mono text-fine font-normal text-muted wrap-anywhere max-sm:ml-0">
                  {endpoint.method} {endpoint.path}
                </span>
              </h2>
              <svg viewBox="0 0 12 8" aria-hidden="true" className="ml-auto w-3 shrink-0 self-center text-muted group-open:rotate-180">
                <path
                  d="m1 1.5 5 5 5-5"
                  fill="none"
                  stroke="currentColor"
                  strokeWidth="1.75"
                  strokeLinecap="round"
                  strokeLinejoin="round"
                />
              </svg>
            </summary>
            <div id={endpoint.id} className="grid scroll-mt-24 grid-cols-1 gap-x-8 gap-y-6 pt-2 pb-8 xl:grid-cols-2">
              <EndpointText endpoint={endpoint} />
              <EndpointCode endpoint={endpoint} isSignedIn={isSignedIn} />
            </div>
          </details>
        ))}
      </div>
    </DocsFrame>
  )
}

function EndpointText({ endpoint: { description, pageSize, parameters } }: { endpoint: DocsEndpoint }) {
  return (
    <div className="grid min-w-0 grid-cols-1 content-start gap-5">
      <DocsText html={description} className="text-small" />
      <section className="grid gap-1">
        <h3 className="text-small font-semibold">{referenceWords.page}</h3>
        <DocsText html={pageSize} className="text-small" />
      </section>
      {parameters.length > 0 && (
        <section className="grid gap-1">
          <h3 className="text-small font-semibold">{referenceWords.parameters}</h3>
          <dl className="grid grid-cols-1 divide-y divide-line border-y border-line">
            {parameters.map(({ name, in: place, text }) => (
              <div key={name} className="grid grid-cols-[7rem_minmax(0,1fr)] gap-x-4 py-2">
                <dt className="font-mono text-fine wrap-anywhere">
                  {name} <span className="block text-muted">{place}</span>
                </dt>
                <dd>
                  <DocsText html={text} className="text-small" />
                </dd>
              </div>
            ))}
          </dl>
        </section>
      )}
    </div>
  )
}

function EndpointCode({ endpoint, isSignedIn }: { endpoint: DocsEndpoint; isSignedIn: boolean }) {
  const { id, code, answer } = endpoint
  return (
    <div className="grid min-w-0 grid-cols-1 content-start gap-5">
      <CodeTabs id={id} code={code} />
      {answer && (
        <section className="grid min-w-0 grid-cols-1 gap-2">
          <h3 className="text-small font-semibold">{referenceWords.answer}</h3>
          <CodeBlock html={answer} />
        </section>
      )}
      <TryIt endpoint={endpoint} isSignedIn={isSignedIn} />
    </div>
  )
}

const input = 'min-h-9 w-full min-w-0 rounded-control border border-edge bg-surface px-2.5 font-mono text-fine pointer-coarse:min-h-11'

/** The key has no name, so no address ever holds it. */
function TryIt({ endpoint: { id, method, attempt }, isSignedIn }: { endpoint: DocsEndpoint; isSignedIn: boolean }) {
  const { title, key, keyHint, send, sending, noKey, failed, file, cut, noScript } = referenceWords.attempt
  const words = { 'data-sending': sending, 'data-nokey': noKey, 'data-failed': failed, 'data-file': file, 'data-cut': cut }
  return (
    <form
      // Sent by script alone: without it, nothing happens.
      method="dialog"
      data-try
      {...words}
      data-signedin={isSignedIn || undefined}
      data-path={attempt.path}
      className="grid min-w-0 grid-cols-1 gap-3 rounded-card border border-line bg-surface p-4"
    >
      <h3 className="text-small font-semibold">{title}</h3>
      <p className="font-mono text-fine text-muted wrap-anywhere">
        {method} {attempt.path}
      </p>
      <label className="grid gap-1 text-fine font-semibold" htmlFor={`key-${id}`}>
        {key}
      </label>
      <input
        id={`key-${id}`}
        data-try-key
        type="password"
        autoComplete="off"
        spellCheck={false}
        placeholder="wn_…"
        aria-describedby={`key-hint-${id}`}
        className={input}
      />
      <p id={`key-hint-${id}`} className="-mt-1 text-fine text-muted">
        {keyHint}
      </p>
      {attempt.fields.length > 0 && (
        <div className="grid grid-cols-2 gap-3">
          {attempt.fields.map(({ name, value }) => (
            <label key={name} className="grid gap-1 font-mono text-fine text-muted">
              {name}
              <input name={name} defaultValue={value} autoComplete="off" spellCheck={false} className={input} />
            </label>
          ))}
        </div>
      )}
      <div>
        <Button type="submit" look="quiet" size="small">
          {send}
        </Button>
      </div>
      <noscript>
        <p className="text-fine text-muted">{noScript}</p>
      </noscript>
      <p role="status" data-try-status className="font-mono text-fine tabular-nums empty:hidden" />
      <pre
        data-try-body
        hidden
        aria-label={referenceWords.answer}
        // A scrolling frame must be reachable by keyboard.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        className="max-h-96 overflow-auto rounded-card border border-line bg-sunken p-4 font-mono text-fine leading-relaxed"
      />
    </form>
  )
}
