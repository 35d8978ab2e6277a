import type { Handle } from '#app/access.server.ts'
import { data, href, isRouteErrorResponse, redirect } from 'react-router'
import { secretHeaders } from '#app/account/sign-in/secret-page.ts'
import { callAt } from '#app/content/calls.ts'
import { enquiryPageTexts as words } from '#app/content/enquiry-page.ts'
import { countsBusinessHours } from '#app/content/hours.ts'
import { identity } from '#app/content/identity.ts'
import { pageMeta } from '#app/content/page-meta.ts'
import { acceptedEndings, additionLimits } from '#app/leads/visitor/enquiry-file.ts'
import { addDetails, findEnquiryPage, resumeEnquiry, withdrawEnquiry } from '#app/leads/visitor/enquiry-page.server.ts'
import { findEnquiryId } from '#app/leads/lead/page-link.server.ts'
import { characterCount, manyLines } from '#app/platform/text/clean-text.ts'
import { readForm } from '#app/platform/http/form.server.ts'
import { requestContextOf } from '#app/platform/http/request-context.server.ts'
import { Behaviour } from '#app/platform/islands/behaviour.tsx'
import { consume, type Limit, visitorKey } from '#app/platform/guard/limits.server.ts'
import { Stop, stop } from '#app/platform/errors/stop.ts'
import { ErrorPage } from '#app/site/shell/error-page.tsx'
import { Button } from '#app/ui/button.tsx'
import { ButtonLink } from '#app/ui/button-link.tsx'
import { buttonLook } from '#app/ui/button-look.ts'
import { Card } from '#app/ui/card.tsx'
import { Field } from '#app/ui/field.tsx'
import { Input, Textarea } from '#app/ui/input.tsx'
import { Page } from '#app/ui/page.tsx'
import type { Route } from './+types/enquiry.page.ts'
import { describeEnquiry } from './enquiry-view.server.ts'
import { localTimes } from './local-times.island.ts'

/** Wide, because a whole office can share an address. */
const changeLimit: Limit = { name: 'enquiry-page', points: 60, seconds: 600 }
/** Wrong addresses, of which nobody types many. */
const guessLimit: Limit = { name: 'enquiry-guess', points: 60, seconds: 600 }

export const handle = { access: 'public', hydration: 'islands' } satisfies Handle

export const headers = secretHeaders

export const meta = () => pageMeta({ title: words.title, index: false })

export async function loader({ request, params: { token }, context }: Route.LoaderArgs) {
  const page = await named(token, requestContextOf(context).address)
  const params = new URL(request.url).searchParams
  const outcomes: Readonly<Record<string, string>> = words.files.outcomes
  const outcome = outcomes[params.get('file') ?? '']
  const done: Readonly<Record<string, string>> = { details: words.details.added, resumed: words.withdraw.undone }
  const notice = done[params.get('done') ?? '']
  return data(
    {
      token,
      ...(await describeEnquiry(page)),
      isBusiness: countsBusinessHours(),
      notice: outcome ? { text: outcome, isDone: params.get('file') === 'added' } : notice && { text: notice, isDone: true },
    },
    { headers: secretHeaders() },
  )
}

export async function action({ request, params: { token }, context }: Route.ActionArgs) {
  const { address } = requestContextOf(context)
  const fields = await readForm(request)
  const { id, isQuarantined } = await named(token, address)
  const here = href('/enquiry/:token', { token })
  if (isQuarantined) return redirect(here, 303)
  try {
    await consume(changeLimit, visitorKey(address))
  } catch (error) {
    if (!(error instanceof Stop)) throw error
    return data({ error: words.often, text: fields['details'] ?? '' }, error.status)
  }
  if (fields['intent'] === 'withdraw') {
    await withdrawEnquiry(id)
    return redirect(here, 303)
  }
  if (fields['intent'] === 'resume') {
    await resumeEnquiry(id)
    return redirect(`${here}?done=resumed`, 303)
  }
  const text = manyLines(fields['details'] ?? '')
  const error = text === '' ? words.details.empty : characterCount(text) > additionLimits.detailCharacters ? words.details.long : undefined
  if (error) return data({ error, text }, 422)
  if (!(await addDetails(id, text))) return data({ error: words.details.full, text }, 422)
  return redirect(`${here}?done=details`, 303)
}

/** Every wrong address gets the same sentence: it tells nothing about what exists. */
async function named(token: string, address: string) {
  const id = await findEnquiryId(token)
  const page = id && (await findEnquiryPage(id))
  if (page) return page
  await consume(guessLimit, visitorKey(address))
  return stop('notFound', words.missing.text)
}

/** A wrong address, with a way on. Other errors have the page of the site. */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  if (!isRouteErrorResponse(error) || error.status !== 404) return <ErrorPage error={error} />
  return (
    <Page kind="text" title={words.missing.title} intro={words.missing.text}>
      <div className="flex flex-wrap gap-3">
        <ButtonLink to={href('/contact')}>{words.missing.write}</ButtonLink>
        <a href={`mailto:${identity.email}`} className={buttonLook('quiet')}>
          {identity.email}
        </a>
      </div>
    </Page>
  )
}

type Shown = { loaderData: Route.ComponentProps['loaderData'] }

export default function EnquiryPage({ loaderData, actionData }: Route.ComponentProps) {
  const { token, reference, state, notice } = loaderData
  const isQuarantined = state === 'quarantined'
  return (
    <Page
      kind="text"
      title={
        <>
          {words.title} <span className="font-mono text-h3 whitespace-nowrap text-muted">{reference}</span>
        </>
      }
      intro={words.intro}
    >
      <Behaviour of={localTimes} on="idle" className="grid grid-cols-1 gap-8">
        {notice && !actionData && <Notice {...notice} />}
        {state === 'withdrawn' && <Withdrawn token={token} />}
        <Next loaderData={loaderData} />
        <Happened loaderData={loaderData} />
        {!isQuarantined && (
          <>
            <Asked loaderData={loaderData} />
            <Additions token={token} refused={actionData} isWithdrawn={state === 'withdrawn'} />
            <Ways loaderData={loaderData} />
            {state === 'open' && <Withdraw token={token} />}
          </>
        )}
      </Behaviour>
    </Page>
  )
}

function Notice({ text, isDone }: { text: string; isDone: boolean }) {
  return (
    <p
      role={isDone ? 'status' : 'alert'}
      className={`rounded-card border p-4 font-semibold ${isDone ? 'border-leaf bg-leaf-wash' : 'border-alarm bg-alarm-wash'}`}
    >
      {text}
    </p>
  )
}

function Withdrawn({ token }: { token: string }) {
  return (
    <form
      method="post"
      action={href('/enquiry/:token', { token })}
      className="flex flex-wrap items-center justify-between gap-4 rounded-card border border-line bg-sunken p-4"
    >
      <p className="font-semibold">{words.withdraw.done}</p>
      <Button look="quiet" name="intent" value="resume">
        {words.withdraw.undo}
      </Button>
    </form>
  )
}

function Next({ loaderData: { state, steps, isLate, isBusiness } }: Shown) {
  return (
    <Card as="section" aria-labelledby="next" pad="roomy" className="grid gap-4">
      <h2 id="next" className="text-h3">
        {words.next.title}
      </h2>
      {state !== 'open' && <p>{state === 'quarantined' ? words.next.quarantined : words.next.withdrawn}</p>}
      {isLate && (
        <div role="alert" className="grid gap-1 rounded-card border border-alarm bg-alarm-wash p-4">
          <p className="font-semibold">{words.next.late}</p>
          <p>
            {words.next.lateText}{' '}
            <a href={`mailto:${identity.email}`} className="link">
              {identity.email}
            </a>
          </p>
        </div>
      )}
      {steps.length > 0 && (
        <ul className="grid gap-3">
          {steps.map(({ text, by, isLate: isStepLate }) => (
            <li key={text}>
              <p className="font-semibold">{text}</p>
              {by && (
                <p className={isStepLate ? 'text-small font-medium text-alarm' : 'text-small text-muted'}>
                  {isStepLate ? words.next.wasDue : words.next.by} <Moment at={by} /> ({by.distance})
                </p>
              )}
            </li>
          ))}
        </ul>
      )}
      {isBusiness && steps.some(({ by }) => by) && <p className="text-small text-muted">{words.next.counted}</p>}
    </Card>
  )
}

function Happened({ loaderData: { happened, call } }: Shown) {
  return (
    <section aria-labelledby="happened" className="grid gap-3">
      <h2 id="happened" className="text-h3">
        {words.happened.title}
      </h2>
      <ol className="grid border-l border-line pl-4">
        {happened.map(({ at, text, more }) => (
          <li
            key={`${at.iso} ${text} ${more}`}
            className="relative grid gap-0.5 pb-4 before:absolute before:top-2 before:-left-[1.3rem] before:size-2 before:rounded-full before:bg-edge"
          >
            <p className="font-semibold">{text}</p>
            {more && <p className="wrap-anywhere">{more}</p>}
            <p className="text-small text-muted">
              <Moment at={at} />
            </p>
          </li>
        ))}
      </ol>
      {call && !call.isOver && (
        <a href={call.manage} className="link justify-self-start text-small">
          {words.happened.manage}
        </a>
      )}
    </section>
  )
}

function Moment({ at: { iso, text } }: { at: { iso: string; text: string } }) {
  return <time dateTime={iso}>{text}</time>
}

function Asked({ loaderData: { problem, message, details, files } }: Shown) {
  return (
    <section aria-labelledby="asked" className="grid gap-3">
      <h2 id="asked" className="text-h3">
        {words.asked.title}
      </h2>
      <p className="font-semibold wrap-anywhere">{problem}</p>
      <p className="rounded-card bg-sunken px-4 py-3.5 whitespace-pre-line wrap-anywhere">{message}</p>
      {details.map(({ id, text, at }) => (
        <div key={id} className="grid gap-1">
          <p className="text-small text-muted">
            {words.asked.details}, <Moment at={at} />
          </p>
          <p className="rounded-card bg-sunken px-4 py-3.5 whitespace-pre-line wrap-anywhere">{text}</p>
        </div>
      ))}
      {files.length > 0 && (
        <>
          <h3 className="text-small font-semibold">{words.asked.files}</h3>
          <ul className="divide-y divide-line border-y border-line text-small">
            {files.map(({ id, name, size }) => (
              <li key={id} className="flex flex-wrap justify-between gap-x-4 py-2">
                <span className="wrap-anywhere">{name}</span>
                <span className="text-muted">{size}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}

type AdditionsProps = { token: string; refused: { error: string; text: string } | undefined; isWithdrawn: boolean }

function Additions({ token, refused, isWithdrawn }: AdditionsProps) {
  const here = href('/enquiry/:token', { token })
  return (
    <div className="grid gap-8 border-t border-line pt-8">
      <section aria-labelledby="add-details" className="grid gap-3">
        <h2 id="add-details" className="text-h3">
          {words.details.title}
        </h2>
        {isWithdrawn && <p className="text-small text-muted">{words.details.resumes}</p>}
        <form method="post" action={here} noValidate className="grid gap-3">
          <Field label={words.details.label} name="details" hint={words.details.hint} error={refused?.error}>
            <Textarea rows={4} most={additionLimits.detailCharacters} defaultValue={refused?.text ?? ''} />
          </Field>
          <Button className="justify-self-start" name="intent" value="details">
            {words.details.submit}
          </Button>
        </form>
      </section>
      <section aria-labelledby="add-files" className="grid gap-3">
        <h2 id="add-files" className="text-h3">
          {words.files.title}
        </h2>
        <form method="post" action={`${here}/files`} encType="multipart/form-data" className="grid gap-3">
          <Field label={words.files.label} name="files" hint={words.files.hint}>
            <Input type="file" multiple accept={acceptedEndings} />
          </Field>
          <Button look="quiet" className="justify-self-start">
            {words.files.submit}
          </Button>
        </form>
      </section>
    </div>
  )
}

function Ways({ loaderData: { reference, callUrl, call } }: Shown) {
  const isExternal = !callUrl.startsWith('/')
  return (
    <div className="grid gap-6 border-t border-line pt-8 sm:grid-cols-2">
      {!call && (
        <section aria-labelledby="call" className="grid justify-items-start gap-3">
          <h2 id="call" className="text-h3">
            {words.call.title}
          </h2>
          <p>{words.call.text}</p>
          <a href={callUrl} rel="noreferrer" {...(isExternal && { target: '_blank' })} className={buttonLook('quiet')}>
            {callAt(undefined).label}
          </a>
        </section>
      )}
      <section aria-labelledby="write" className="grid justify-items-start gap-3">
        <h2 id="write" className="text-h3">
          {words.write.title}
        </h2>
        <p>
          {words.write.text} <strong className="font-mono whitespace-nowrap">{reference}</strong>
        </p>
        <a href={`mailto:${identity.email}?subject=${reference}`} className="link wrap-anywhere">
          {identity.email}
        </a>
      </section>
    </div>
  )
}

function Withdraw({ token }: { token: string }) {
  return (
    <details className="border-t border-line pt-6">
      <summary className="link cursor-pointer">{words.withdraw.summary}</summary>
      <form method="post" action={href('/enquiry/:token', { token })} className="mt-4 grid justify-items-start gap-3">
        <p className="text-small">{words.withdraw.ask}</p>
        <Button look="danger" name="intent" value="withdraw">
          {words.withdraw.confirm}
        </Button>
      </form>
    </details>
  )
}
