import type { Handle } from '#app/access.server.ts'
import { data, href, redirect } from 'react-router'
import { findBookingSettings, listHosts } from '#app/booking/host.server.ts'
import { listHolds } from '#app/booking/hold.server.ts'
import { NO_CALLS } from '#app/booking/rules/booking.ts'
import { placeKind } from '#app/booking/rules/place.ts'
import { visitorOf } from '#app/booking/visitor.server.ts'
import { bookTexts } from '#app/content/book.ts'
import { identity } from '#app/content/identity.ts'
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
import { type BookRefusal, takeBookForm, valuesOfEnquiry } from './book-form.server.ts'
import { BookForm } from './book-form.tsx'
import { clockTime, shortTime } from './month.ts'
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

export const meta = () => headOf('/book')

export const headers = ({ loaderHeaders, actionHeaders }: Route.HeadersArgs) => new Headers([...loaderHeaders, ...(actionHeaders ?? [])])

export async function loader({ request, context }: Route.LoaderArgs) {
  if (env.BOOKING_URL) throw redirect(env.BOOKING_URL, 302)
  const url = new URL(request.url)
  const { visitor, cookie: newCookie } = visitorOf(requestContextOf(context))
  const own = newCookie ? [] : await listHolds(visitor)
  const picker = await findPicker(url, { except: own.map(({ id }) => id) })
  const [{ questions }, hosts] = await Promise.all([findBookingSettings(), listHosts()])
  const enquiry = await valuesOfEnquiry(url.searchParams.get('enquiry'))
  const [hold] = own
  const place = hosts.find(({ id }) => id === hold?.hostId)?.place ?? ''
  const shown = {
    picker,
    questions,
    enquiry,
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
  const isOwn = own.length > 0 || url.searchParams.has('enquiry')
  return data(shown, isOwn ? { headers: { 'cache-control': 'no-store' } } : {})
}

export async function action({ request, context }: Route.ActionArgs) {
  const fields = await readForm(request)
  const { zone } = await findPicker(new URL(request.url), {})
  const outcome = await takeBookForm(fields, requestContextOf(context), zone)
  if ('refused' in outcome) return data({ ...outcome.refused, isPicking: fields['intent'] === 'another' }, outcome.refused.status)
  return redirect(outcome.to, { status: 303, ...(outcome.cookie && { headers: { 'set-cookie': outcome.cookie } }) })
}

export default function BookPage({ loaderData, actionData }: Route.ComponentProps) {
  const { picker, hold, isChanging } = loaderData
  const isPicking = !hold || isChanging || actionData?.isPicking
  return (
    <Page title={<Title text={bookTexts.title} />} eyebrow={bookTexts.eyebrow} intro={picker.month && bookTexts.intro}>
      <Behaviour of={actionData?.challenge ? proveAndSend : guessZone} on="idle" className="grid grid-cols-1 gap-8">
        <div hidden data-zone={picker.isZoneChosen || actionData ? '' : picker.zone} />
        {actionData && <Trouble refused={actionData} zone={picker.zone} />}
        {picker.month ? (
          <Steps loaderData={loaderData} refused={actionData} isPicking={Boolean(isPicking)} />
        ) : (
          <Nothing isKnown={'enquiry' in loaderData.enquiry} />
        )}
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

type StepsProps = { loaderData: Route.ComponentProps['loaderData']; refused: BookRefusal | undefined; isPicking: boolean }

function Steps({ loaderData: { picker, hold, zones, questions, enquiry }, refused, isPicking }: StepsProps) {
  const values = refused?.values ?? enquiry
  const kept = { zone: picker.zone, ...(values['enquiry'] && { enquiry: values['enquiry'] }) }
  const hrefOf = (params: Record<string, string>) =>
    `${href('/book')}?${new URLSearchParams({ ...kept, ...(hold && { change: '1' }), ...params })}`
  const action = `${href('/book')}?${new URLSearchParams(kept)}`
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
        kept={{ ...(values['enquiry'] && { enquiry: values['enquiry'] }), ...(hold && { change: '1' }) }}
      >
        {({ startsAt, text }) => <TimeButton action={action} startsAt={startsAt} text={text} values={values} />}
      </TimePicker>
    </Card>
  )
}

/** Holds a time, and sends the typed details along. */
function TimeButton({
  action,
  startsAt,
  text,
  values,
}: {
  action: string
  startsAt: string
  text: string
  values: Record<string, string>
}) {
  return (
    <form method="post" action={action} className="grid">
      <input type="hidden" name="startsAt" value={startsAt} />
      {Object.entries(values).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <Button look="quiet" name="intent" value="hold" className="min-h-11">
        {text}
      </Button>
    </form>
  )
}

function Trouble({ refused: { trouble, alternatives, values, challenge }, zone }: { refused: BookRefusal; zone: string }) {
  if (!trouble) return null
  const action = `${href('/book')}?${new URLSearchParams({ zone })}`
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
