import { Behaviour } from '#app/platform/islands/behaviour.tsx'
import { contactSection } from '#app/content/home.ts'
import { followBooking } from './booking.island.ts'

/** The scheduling provider's calendar, loaded when it is near the viewport. A booking in it opens the confirmation page. */
export function Calendar({ url }: { url: string }) {
  return (
    <section aria-labelledby="calendar" className="border-t border-line pt-12 lg:col-span-12">
      <h3 id="calendar">{contactSection.call}</h3>
      <Behaviour of={followBooking} on="visible" className="mt-6">
        {/* It has its own origin; a sandbox would only remove its sign-in and storage. */}
        {/* oxlint-disable-next-line react/iframe-missing-sandbox */}
        <iframe
          src={url}
          title={contactSection.calendar}
          loading="lazy"
          referrerPolicy="strict-origin"
          className="h-[44rem] w-full rounded-card border border-line bg-surface"
        />
      </Behaviour>
    </section>
  )
}
