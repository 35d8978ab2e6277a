import type { Handle } from '#app/access.server.ts'
import { data, href, redirect } from 'react-router'
import { findOffered, hostFor, listCallTypes } from '#app/booking/call-type.server.ts'
import { listHosts } from '#app/booking/host.server.ts'
import { listHolds } from '#app/booking/hold.server.ts'
import { NO_CALLS, NOT_OFFERED } from '#app/booking/rules/booking.ts'
import { bookPath, type CallType } from '#app/booking/rules/hours.ts'
import { placeKind } from '#app/booking/rules/place.ts'
import { visitorOf } from '#app/booking/visitor.server.ts'
import { bookTexts } from '#app/content/book.ts'
import { identity } from '#app/content/identity.ts'
import { pageMeta } from '#app/content/page-meta.ts'
import { headOf } from '#app/content/seo.ts'
import { readForm } from '#app/platform/http/form.server.ts'
import { requestContextOf } from '#app/platform/http/request-context.server.ts'
import { Behaviour } from '#app/platform/islands/behaviour.tsx'
import { env } from '#app/platform/env.server.ts'
import { Button } from '#app/ui/button.tsx'
import { ButtonLink } from '#app/ui/button-link.tsx'
import { Card } from '#app/ui/card.tsx'
import { Page } from '#app/ui/page.tsx'
import type { Route } from './+types/book.page.ts'
import { type BookRefusal, findProposed, type ProposedTime, takeBookForm, valuesOfEnquiry } from './book-form.server.ts'
import { BookForm } from './book-form.tsx'
import { clockTime, shortTime } from './month.ts'
import { refusalText } from './refusal-text.ts'
import { findPicker, listZones } from './picker.server.ts'
import { TimePicker } from './time-picker.tsx'
import { proveAndSend } from './prove.island.ts'
import { guessZone } from './zone.island.ts'

/**
 * The same page for all visitors who hold no time. Time passes, so a copy lives briefly: the notice of hosts runs, and holds end. One that still
 * shows a time that has just gone is harmless: a visitor who chooses it gets the nearest ones. So a rush for times does not render a page for each.
 */
const cache = { tags: ['free-times'], query: ['zone', 'month', 'day'], unlessCookie: 'winnow-booking', seconds: 30, lateSeconds: 1 }

export const handle = { access: 'public', hydration: 'islands', isRefusedLast: true, cache } satisfies Handle

export const meta = ({ loaderData }: Route.MetaArgs) =>
  loaderData?.slug ? pageMeta({ title: loaderData.title, description: bookTexts.intro }) : headOf('/book')

export const headers = ({ loaderHeaders, actionHeaders }: Route.HeadersArgs) => new Headers([...loaderHeaders, ...(actionHeaders ?? [])])

export async function loader({ request, context, params }: Route.LoaderArgs) {
  if (env.BOOKING_URL) throw redirect(env.BOOKING_URL, 302)
  const url = new URL(request.url)
  const callType = await findOffered(params.type)
  const others = (await listCallTypes()).filter((each) => each.isOffered && each.id !== callType?.id).map(toOther)
  if (!callType) return data({ isOffered: false as const, slug: null, title: bookTexts.title, others }, 404)
  const { visitor, cookie: newCookie } = visitorOf(requestContextOf(context))
  const own = newCookie ? [] : await listHolds(visitor)
  const choice = { except: own.map(({ id }) => id), callTypeId: callType.id }
  const picker = await findPicker(url, choice)
  const hosts = (await listHosts()).map((host) => hostFor(callType, host))
  const enquiry = await valuesOfEnquiry(url.searchParams.get('enquiry'))
  // A time that is held for another call type is given up with the next choice.
  const hold = own.find(({ callTypeId }) => callTypeId === callType.id)
  const place = hosts.find(({ id }) => id === hold?.hostId)?.place ?? ''
  const shown = {
    isOffered: true as const,
    slug: callType.slug,
    title: callType.slug === null ? bookTexts.title : callType.title,
    minutes: callType.lengthMinutes,
    others,
    picker,
    questions: callType.questions,
    enquiry,
    proposed: await findProposed(url, picker.zone, choice),
    zones: listZones(),
    isChanging: url.searchParams.has('change'),
    hold: hold && {
      id: hold.id,
      startsAt: hold.startsAt.toISOString(),
      text: shortTime(hold.startsAt.getTime(), picker.zone),
      needsPhone: placeKind(place) === 'phone',
      until: clockTime(hold.heldUntil.getTime(), picker.zone),
    },
  }
  // Held times and typed text are for this visitor alone.
  const isOwn = own.length > 0 || url.searchParams.has('enquiry') || url.searchParams.has('at')
  return data(shown, isOwn ? { headers: { 'cache-control': 'no-store' } } : {})
}

/** Another call type, as a link. */
function toOther({ slug, title, lengthMinutes }: CallType) {
  return { to: bookPath(slug), title: slug === null ? bookTexts.title : title, minutes: lengthMinutes }
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const fields = await readForm(request)
  const callType = await findOffered(params.type)
  // Its page says so.
  if (!callType) return data(undefined, 404)
  const { zone } = await findPicker(new URL(request.url), {})
  const outcome = await takeBookForm(fields, requestContextOf(context), { zone, callType })
  if ('refused' in outcome) return data({ ...outcome.refused, isPicking: fields['intent'] === 'another' }, outcome.refused.status)
  return redirect(outcome.to, { status: 303, ...(outcome.cookie && { headers: { 'set-cookie': outcome.cookie } }) })
}

export default function BookPage({ loaderData, actionData }: Route.ComponentProps) {
  return loaderData.isOffered ? <Book loaderData={loaderData} actionData={actionData} /> : <NotOffered others={loaderData.others} />
}

type Shown = Extract<Route.ComponentProps['loaderData'], { isOffered: true }>

function Book({ loaderData, actionData }: { loaderData: Shown; actionData: Route.ComponentProps['actionData'] }) {
  const { picker, hold, isChanging, proposed, slug, title, minutes, others } = loaderData
  const path = bookPath(slug)
  const eyebrow = slug === null ? bookTexts.eyebrow : `${minutes} ${bookTexts.minutes}`
  const isOther = proposed !== undefined && proposed.startsAt !== hold?.startsAt
  const isPicking = !hold || isChanging || isOther || actionData?.isPicking
  return (
    <Page title={<Title text={title} />} eyebrow={eyebrow} intro={picker.month && bookTexts.intro}>
      <Behaviour of={actionData?.challenge ? proveAndSend : guessZone} on="idle" className="grid grid-cols-1 gap-8">
        <div hidden data-zone={picker.isZoneChosen || actionData ? '' : picker.zone} />
        {actionData && <Trouble refused={actionData} zone={picker.zone} path={path} />}
        {proposed && picker.month && !actionData && isPicking && (
          <Proposed proposed={proposed} zone={picker.zone} path={path} values={loaderData.enquiry} />
        )}
        {picker.month ? (
          <Steps loaderData={loaderData} refused={actionData} isPicking={Boolean(isPicking)} />
        ) : (
          <Nothing isKnown={'enquiry' in loaderData.enquiry} />
        )}
        {!hold && <Others others={others} />}
      </Behaviour>
    </Page>
  )
}

/** On a phone, a line must not end inside '30-minute'. */
function Title({ text }: { text: string }) {
  return text.split(/(\S+-\S+)/).map((part, at) =>
    at % 2 === 0 ? (
      part
    ) : (
      <span key={part} className="whitespace-nowrap">
        {part}
      </span>
    ),
  )
}

type OthersProps = { others: Shown['others'] }

/** Other call types, where there are any. */
function Others({ others }: OthersProps) {
  if (others.length === 0) return null
  return (
    <section aria-labelledby="other-calls" className="grid gap-3">
      <h2 id="other-calls" className="text-h3">
        {bookTexts.others}
      </h2>
      <ul className="grid gap-2">
        {others.map(({ to, title, minutes }) => (
          <li key={to}>
            <a href={to} className="link">
              {title}
            </a>{' '}
            <span className="text-small text-muted">
              {minutes} {bookTexts.minutes}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** A call type that was deleted, was switched off, or never was. */
function NotOffered({ others }: OthersProps) {
  return (
    <Page title={<Title text={bookTexts.title} />} eyebrow={bookTexts.eyebrow}>
      <div className="grid grid-cols-1 gap-8">
        <Card pad="roomy" className="grid max-w-3xl justify-items-start gap-4">
          <p role="alert">{NOT_OFFERED}</p>
          <ButtonLink to={`${href('/contact')}?wish=call#enquiry`} look="quiet">
            {bookTexts.write}
          </ButtonLink>
        </Card>
        <Others others={others} />
      </div>
    </Page>
  )
}

/** Where a form is sent: the page in its zone, about its enquiry. */
function actionOf(path: string, zone: string, { enquiry }: Record<string, string>): string {
  return `${path}?${new URLSearchParams({ zone, ...(enquiry && { enquiry }) })}`
}

type StepsProps = { loaderData: Shown; refused: BookRefusal | undefined; isPicking: boolean }

function Steps({ loaderData: { slug, picker, hold, zones, questions, enquiry, proposed }, refused, isPicking }: StepsProps) {
  const path = bookPath(slug)
  const values = refused?.values ?? enquiry
  const kept = { zone: picker.zone, ...(values['enquiry'] && { enquiry: values['enquiry'] }) }
  const hrefOf = (params: Record<string, string>) => `${path}?${new URLSearchParams({ ...kept, ...(hold && { change: '1' }), ...params })}`
  const action = actionOf(path, picker.zone, values)
  if (hold && !isPicking)
    return (
      <Card pad="roomy" className="max-w-3xl">
        <BookForm
          action={action}
          hold={hold}
          zone={picker.zone}
          questions={questions}
          values={values}
          errors={refused?.errors ?? {}}
          hasMessage={'enquiry' in enquiry}
          challenge={refused?.challenge}
        />
      </Card>
    )
  return (
    <Card pad="roomy" className="grid grid-cols-1 gap-6">
      {hold && (
        <p className="text-small">
          {bookTexts.held} {hold.until}: <strong>{hold.text}</strong>.{' '}
          <a href={action} className="link">
            {bookTexts.back}
          </a>
        </p>
      )}
      <TimePicker
        picker={picker}
        zones={zones}
        hrefOf={hrefOf}
        kept={{
          ...(values['enquiry'] && { enquiry: values['enquiry'] }),
          ...(hold && { change: '1' }),
          ...(proposed && { at: proposed.startsAt, host: proposed.host }),
        }}
      >
        {({ startsAt, text }) => <TimeButton action={action} startsAt={startsAt} text={text} values={values} />}
      </TimePicker>
    </Card>
  )
}

type TimeButtonProps = { action: string; startsAt: string; text: string; values: Record<string, string>; look?: 'quiet' | 'primary' }

/** Holds a time, and sends the typed details along. */
function TimeButton({ action, startsAt, text, values, look = 'quiet' }: TimeButtonProps) {
  return (
    <form method="post" action={action} className="grid">
      <input type="hidden" name="startsAt" value={startsAt} />
      {Object.entries(values).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <Button look={look} name="intent" value="hold" className="min-h-11">
        {text}
      </Button>
    </form>
  )
}

type ProposedProps = { proposed: ProposedTime; zone: string; path: string; values: Record<string, string> }

/** The time of a link in our email: a press takes it, because programs open links too. */
function Proposed({ proposed: { startsAt, text, host, alternatives }, zone, path, values }: ProposedProps) {
  const { title, take, gone } = bookTexts.proposed
  if (alternatives) {
    const trouble = refusalText(gone, alternatives)
    return <Trouble refused={{ status: 200, values, errors: {}, trouble, alternatives }} zone={zone} path={path} />
  }
  const action = actionOf(path, zone, values)
  return (
    <Card pad="roomy" className="grid max-w-3xl justify-items-start gap-4">
      <h2 className="text-h3">
        {title} {text}
      </h2>
      <p className="text-small text-muted">{zone.replaceAll('_', ' ')}</p>
      <TimeButton look="primary" action={action} startsAt={startsAt} text={take} values={{ ...values, ...(host && { host }) }} />
    </Card>
  )
}

type TroubleProps = { refused: BookRefusal; zone: string; path: string }

function Trouble({ refused: { trouble, alternatives, values, challenge }, zone, path }: TroubleProps) {
  if (!trouble) return null
  const action = actionOf(path, zone, values)
  return (
    <div role="alert" className="grid gap-4 rounded-card border border-alarm bg-alarm-wash p-4">
      <p className="font-semibold">{challenge ? bookTexts.check : trouble}</p>
      {challenge && (
        <a href={`mailto:${identity.email}`} className="link justify-self-start">
          {identity.email}
        </a>
      )}
      {alternatives && (
        <ul className="flex flex-wrap gap-2">
          {alternatives.map(({ startsAt, text }) => (
            <li key={startsAt}>
              <TimeButton action={action} startsAt={startsAt} text={text} values={values} />
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

/** A visitor whose enquiry we have need not write again. */
function Nothing({ isKnown }: { isKnown: boolean }) {
  const { title, known } = bookTexts.nothing
  return (
    <Card pad="roomy" className="grid max-w-3xl justify-items-start gap-4">
      <h2 className="text-h3">{title}</h2>
      <p>{isKnown ? known : NO_CALLS}</p>
      <div className="flex flex-wrap items-center gap-4">
        {!isKnown && <ButtonLink to={`${href('/contact')}?wish=call#enquiry`}>{bookTexts.write}</ButtonLink>}
        <a href={`mailto:${identity.email}`} className="link">
          {identity.email}
        </a>
      </div>
    </Card>
  )
}
