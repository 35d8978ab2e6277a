import { proposalPageTexts as words } from '#app/content/proposals.ts'
import { Behaviour } from '#app/platform/islands/behaviour.tsx'
import { numberText, percentText } from '#app/platform/text/english-number.ts'
import { moneyText } from '#app/platform/text/money.ts'
import { Button } from '#app/ui/button.tsx'
import { Card } from '#app/ui/card.tsx'
import { Field } from '#app/ui/field.tsx'
import { Input, Textarea } from '#app/ui/input.tsx'
import { Page } from '#app/ui/page.tsx'
import { Refusal } from '#app/ui/refusal.tsx'
import { AcceptForm, Decline } from './accept-form.tsx'
import { optionTotals } from './option-totals.island.ts'
import { Sums } from './proposal-sums.tsx'
import { discountOn, discountText, netOfLine, netOfLines, ONE, proposalLimits } from './proposal.ts'
import { isOfAccepting, type Shown, type ShownLine, type ShownProposal } from './shown-proposal.ts'

type SheetProps = { proposal: ShownProposal; shown: Shown | undefined }

/** The whole proposal on one page: everything that is signed stands above the signature. */
export function ProposalSheet({ proposal, shown }: SheetProps) {
  const { token, state, title, reference, number, from, forWhom, validUntil, intro } = proposal
  return (
    <Page kind="text" eyebrow={`${words.eyebrow} ${words.reference(reference, number)}`} title={title}>
      <Behaviour of={optionTotals} on="idle" className="grid grid-cols-1 gap-8">
        {/* The first button of the form is pressed by Enter in its fields. Without this one that would ask a question. */}
        {state === 'sent' && (
          <button type="submit" form="accept" name="intent" value="choose" tabIndex={-1} aria-hidden="true" className="sr-only">
            {words.lines.update}
          </button>
        )}
        <StateNote proposal={proposal} shown={shown} />
        <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-1.5">
          {[
            [words.from, from],
            [words.forWhom, forWhom],
            [words.validUntil, validUntil],
          ].map(([label, value]) => (
            <div key={label} className="contents">
              <dt className="text-muted">{label}</dt>
              <dd className="wrap-anywhere">{value}</dd>
            </div>
          ))}
        </dl>
        {intro && <p className="whitespace-pre-line wrap-anywhere">{intro}</p>}
        <Lines proposal={proposal} shown={shown} />
        <Total proposal={proposal} shown={shown} />
        <Dates proposal={proposal} />
        {proposal.needs && (
          <Part id="needs" title={words.needs.title}>
            <p className="whitespace-pre-line wrap-anywhere">{proposal.needs}</p>
          </Part>
        )}
        <Part id="terms" title={words.terms.title}>
          <p className="text-small text-muted">
            {words.terms.version} {proposal.termsVersion}
          </p>
          <p className="whitespace-pre-line wrap-anywhere">{proposal.terms}</p>
        </Part>
        {(state === 'sent' || proposal.questions.some(({ lineId }) => lineId === '')) && (
          <Part id={state === 'sent' ? 'line-' : 'questions'} title={state === 'sent' ? words.questions.askAll : words.questions.all}>
            <Questions proposal={proposal} lineId="" />
            {state === 'sent' && <Ask token={token} lineId="" shown={shown} />}
          </Part>
        )}
        {state === 'sent' && <AcceptForm proposal={proposal} shown={shown} />}
        {state === 'sent' && <Decline token={token} error={shown?.errors['reason']} reason={shown?.fields['reason']} />}
        <section aria-labelledby="write" className="grid justify-items-start gap-3 border-t border-line pt-8">
          <h2 id="write" className="text-h3">
            {words.write.title}
          </h2>
          <p>
            {words.write.text} <strong className="font-mono whitespace-nowrap">{reference}</strong>
          </p>
          <a href={`mailto:${proposal.email}?subject=${reference}`} className="link wrap-anywhere">
            {proposal.email}
          </a>
        </section>
      </Behaviour>
    </Page>
  )
}

function Part({ id, title, children }: { id: string; title: string; children: React.ReactNode }) {
  return (
    <section id={id} aria-labelledby={`${id}-title`} className="grid grid-cols-1 scroll-mt-24 gap-3">
      <h2 id={`${id}-title`} className="text-h3">
        {title}
      </h2>
      {children}
    </section>
  )
}

function StateNote({ proposal, shown }: SheetProps) {
  const { state, newer, signed, token, email, reference } = proposal
  const refusal = shown?.errors['form']
  const typed = typedIn(shown)
  if (signed) {
    return (
      <>
        {refusal && <Refusal>{refusal}</Refusal>}
        {typed && (
          <div className="grid justify-items-start gap-2 rounded-card border border-line bg-sunken p-4">
            <Unsent typed={typed} />
            <WriteLink to={email} reference={reference} typed={typed} />
          </div>
        )}
        <Signed signed={signed} token={token} isTold={refusal === words.states.accepted} />
      </>
    )
  }
  if (state === 'sent') {
    if (refusal && shown && !isOfAccepting(shown)) return <Refusal>{refusal}</Refusal>
    return shown?.notice ? (
      <p role="status" className="rounded-card border border-leaf bg-leaf-wash p-4 font-semibold">
        {shown.notice}
      </p>
    ) : null
  }
  const text = stateText(proposal)
  return (
    <div className="grid justify-items-start gap-2 rounded-card border border-line bg-sunken p-4">
      {/* A form of a page that was open before it ended was refused. */}
      {refusal ? <Refusal>{text}</Refusal> : <p className="font-semibold">{text}</p>}
      {typed && <Unsent typed={typed} />}
      {newer && (
        <a href={`/proposal/${newer}`} className="link">
          {words.newer}
        </a>
      )}
      {(!newer || typed) && state !== 'draft' && <WriteLink to={email} reference={reference} typed={typed} />}
    </div>
  )
}

function Unsent({ typed }: { typed: string }) {
  return (
    <>
      <p>{words.unsent}</p>
      <blockquote className="border-l-2 border-line pl-4 whitespace-pre-line wrap-anywhere">{typed}</blockquote>
    </>
  )
}

function WriteLink({ to, reference, typed }: { to: string; reference: string; typed: string }) {
  const body = typed && `&body=${encodeURIComponent(typed)}`
  return (
    <a href={`mailto:${to}?subject=${reference}${body}`} className="link">
      {words.write.link}
    </a>
  )
}

function stateText({ state, newer }: ShownProposal): string {
  if (state === 'draft' || state === 'sent') return words.preview
  return newer && (state === 'expired' || state === 'declined') ? words.hasNewer[state] : words.states[state]
}

/** The questions and the reason of a form that came too late. */
function typedIn(shown: Shown | undefined): string {
  const texts = Object.entries(shown?.fields ?? {}).filter(([name]) => name.startsWith('question-') || name === 'reason')
  return texts
    .map(([, text]) => text.trim())
    .filter(Boolean)
    .join('\n\n')
}

type SignedProps = { signed: NonNullable<ShownProposal['signed']>; token: string; isTold: boolean }

/** `isTold`: a refusal above it says already that the proposal is accepted. */
function Signed({ signed, token, isTold }: SignedProps) {
  const { name, on, counter, hasFile, payments } = signed
  return (
    <Card as="section" id="signed" aria-labelledby="signed-title" className="grid justify-items-start gap-3">
      <h2 id="signed-title" className="text-h3">
        {words.signed.title}
      </h2>
      {!isTold && <p>{words.states.accepted}</p>}
      <p>
        {words.signed.by} {name} {words.signed.on} {on}.{' '}
        {counter ? `${words.signed.counter} ${counter.name} ${words.signed.on} ${counter.on}.` : words.signed.waitsForCounter}
      </p>
      {payments.map(({ id, label, amount, state, isPayable }) => (
        <form key={id} method="post" action={`/proposal/${token}`} className="flex flex-wrap items-center gap-x-6 gap-y-2">
          <p>
            {label}: <span className="font-mono">{amount}</span>, {state}.
          </p>
          <input type="hidden" name="order" value={id} />
          {isPayable && (
            <Button name="intent" value="pay">
              {words.signed.pay(amount)}
            </Button>
          )}
        </form>
      ))}
      {hasFile ? (
        <ul className="grid gap-1">
          <li>
            <a href={`/proposal/${token}/signed.pdf`} className="link">
              {words.signed.file}
            </a>
          </li>
          <li>
            <a href={`/proposal/${token}/signed.jws`} className="link">
              {words.signed.signature}
            </a>
          </li>
          <li>
            <a href="/verify" className="link">
              {words.signed.verify}
            </a>
          </li>
        </ul>
      ) : (
        <p className="text-muted">{words.signed.making}</p>
      )}
    </Card>
  )
}

/** The choices that a form came back with take the place of those in the address, never of those that are signed. */
function linesNow({ lines, state }: ShownProposal, choice: Shown['choice']): ShownLine[] {
  if (!choice || state !== 'sent') return lines
  return lines.map((line) => ({
    ...line,
    isTaken: choice.chosen.includes(line.id),
    quantity: choice.quantities[line.id] ?? line.quantity,
  }))
}

function Lines({ proposal, shown }: SheetProps) {
  const { token, state, currency } = proposal
  return (
    <Part id="lines" title={words.lines.title}>
      <ul className="divide-y divide-line border-y border-line">
        {linesNow(proposal, shown?.choice).map((line) => (
          <li
            key={line.id}
            id={state === 'sent' ? `line-${line.id}` : undefined}
            data-line
            data-each={line.unitAmount}
            data-quantity={line.quantity}
            data-less={line.discountShare}
            className="grid scroll-mt-24 gap-2 py-4"
          >
            <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-1">
              <LineText line={line} proposal={proposal} />
              <p data-net className="font-mono whitespace-nowrap">
                {moneyText(netOfLine(line), currency)}
              </p>
            </div>
            {line.range && state === 'sent' && <Quantity line={line} range={line.range} shown={shown} />}
            <Questions proposal={proposal} lineId={line.id} />
            {state === 'sent' && (
              <details open={Boolean(shown?.errors[`question-${line.id}`] ?? shown?.fields[`question-${line.id}`]) || undefined}>
                <summary className="link cursor-pointer text-small">
                  {words.questions.ask}
                  <span className="sr-only">: {line.title}</span>
                </summary>
                <Ask token={token} lineId={line.id} shown={shown} />
              </details>
            )}
          </li>
        ))}
      </ul>
    </Part>
  )
}

function LineText({ line, proposal: { state, currency, signed } }: { line: ShownLine; proposal: ShownProposal }) {
  const { id, title, detail, isOptional, isTaken } = line
  const more = moreOf(line, currency, state === 'sent')
  return (
    <div className="grid min-w-0 grow basis-60 gap-1">
      {isOptional && state === 'sent' ? (
        <label className="flex min-h-11 items-center gap-3 font-semibold">
          <input
            type="checkbox"
            form="accept"
            name={`line-${id}`}
            aria-label={words.lines.choose(title)}
            defaultChecked={isTaken}
            className="size-5 shrink-0 accent-grain-text"
          />
          <span className="wrap-anywhere">{title}</span>
        </label>
      ) : (
        <p className="font-semibold wrap-anywhere">{title}</p>
      )}
      {isOptional && !(signed && isTaken) && (
        <p className="text-small text-muted">{signed ? words.lines.notTaken : words.lines.optional}</p>
      )}
      {detail && <p className="text-small whitespace-pre-line wrap-anywhere">{detail}</p>}
      {more && <p className="text-small text-muted">{more}</p>}
    </div>
  )
}

/** The price of one where the client chooses how many, else both. */
function moreOf({ quantity, unitAmount, discountShare, range }: ShownLine, currency: string, isOpen: boolean): string {
  const price = moneyText(unitAmount, currency)
  const count = quantity === ONE ? '' : `${numberText(quantity / ONE)} × ${price}`
  const discount = discountShare === 0 ? '' : `${percentText(discountShare)} ${words.lines.discount}`
  return [range && isOpen ? `${price} ${words.lines.each}` : count, discount].filter(Boolean).join(', ')
}

type QuantityProps = { line: ShownLine; range: NonNullable<ShownLine['range']>; shown: Shown | undefined }

function Quantity({ line: { id, title, quantity }, range: { least, most, step }, shown }: QuantityProps) {
  const name = `quantity-${id}`
  const error = shown?.errors[name]
  return (
    <Field label={words.lines.quantity} name={name} hint={words.lines.range(numberText(least), numberText(most))} error={error}>
      <Input
        type="number"
        form="accept"
        aria-label={words.lines.quantityOf(title)}
        min={least}
        max={most}
        step={step}
        defaultValue={error ? (shown?.fields[name] ?? '') : quantity / ONE}
        autoComplete="off"
        className="max-w-40 font-mono"
      />
    </Field>
  )
}

function Questions({ proposal: { questions }, lineId }: { proposal: ShownProposal; lineId: string }) {
  const asked = questions.filter((question) => question.lineId === lineId)
  if (asked.length === 0) return null
  return (
    <ul className="grid gap-3 text-small">
      {asked.map(({ id, question, answer }) => (
        <li key={id} className="grid gap-1 rounded-card bg-sunken px-4 py-3">
          <p className="text-muted">{words.questions.you}</p>
          <p className="whitespace-pre-line wrap-anywhere">{question}</p>
          <p className="text-muted">{answer ? words.questions.we : words.questions.open}</p>
          {answer && <p className="whitespace-pre-line wrap-anywhere">{answer}</p>}
        </li>
      ))}
    </ul>
  )
}

/** A part of the form that accepts, so that a question loses nothing that was chosen or typed there. */
function Ask({ token, lineId, shown }: { token: string; lineId: string; shown: Shown | undefined }) {
  const name = `question-${lineId}`
  return (
    <div className="mt-2 grid gap-3">
      <Field label={words.questions.label} name={name} error={shown?.errors[name]}>
        <Textarea form="accept" rows={3} most={proposalLimits.question} defaultValue={shown?.fields[name] ?? ''} />
      </Field>
      <Button
        look="quiet"
        className="justify-self-start"
        form="accept"
        formAction={`/proposal/${token}#line-${lineId}`}
        name="intent"
        value={`ask-${lineId}`}
      >
        {words.questions.submit}
      </Button>
    </div>
  )
}

function Total({ proposal, shown }: SheetProps) {
  const { currency, locale, deposit, isNonRefundable, hasChoices, state, signed, discountShare, discountAmount } = proposal
  const taken = netOfLines(linesNow(proposal, shown?.choice).filter(({ isTaken }) => isTaken))
  const discount = discountOn(proposal, taken)
  return (
    <section
      id={state === 'sent' ? 'total' : undefined}
      aria-labelledby="total-title"
      className="grid scroll-mt-24 gap-3 rounded-card border border-line bg-surface p-5"
    >
      {discountShare + discountAmount > 0 && (
        <p className="flex flex-wrap items-baseline justify-between gap-x-6">
          <span className="text-muted">{words.totals.discount(discountText(proposal))}</span>
          <span data-off className="font-mono">
            {moneyText(-discount, currency)}
          </span>
        </p>
      )}
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <h2 id="total-title" className="text-h3">
          {words.totals.net}
        </h2>
        <p
          role="status"
          data-total
          data-currency={currency}
          data-locale={locale}
          data-share={discountShare}
          data-amount={discountAmount}
          className="font-mono text-h3"
        >
          {moneyText(taken - discount, currency)}
        </p>
      </div>
      {signed ? <Sums sums={signed} /> : <p className="text-small text-muted">{words.totals.taxLater}</p>}
      {deposit && (
        <p>
          {words.totals.deposit}: {words.totals.ofGross(deposit)}. {words.totals.due}{' '}
          {isNonRefundable ? words.totals.nonRefundable : words.totals.refundable}
        </p>
      )}
      {state === 'sent' && shown?.errors['total'] && <Refusal>{shown.errors['total']}</Refusal>}
      {hasChoices && state === 'sent' && (
        <div data-update className="grid justify-items-start gap-2">
          <p className="text-small text-muted">{words.lines.updateHint}</p>
          <Button look="quiet" form="accept" formAction={`/proposal/${proposal.token}#total`} name="intent" value="choose" formNoValidate>
            {words.lines.update}
          </Button>
        </div>
      )}
    </section>
  )
}

function Dates({ proposal: { startsOn, deliversOn } }: { proposal: ShownProposal }) {
  return (
    <Part id="dates" title={words.dates.title}>
      {!startsOn && !deliversOn && <p>{words.dates.none}</p>}
      {startsOn && (
        <p>
          {words.dates.starts}: {startsOn}
        </p>
      )}
      {deliversOn && (
        <p>
          {words.dates.delivers}: {deliversOn}
        </p>
      )}
    </Part>
  )
}
