import { Behaviour } from '#app/platform/islands/behaviour.tsx'
import { contactSection } from '#app/site/content/home.ts'
import { followBooking } from './booking.island.ts'

/** The calendar of the scheduling provider, loaded when it comes near. A booking in it leads to its confirmation. */
export function Calendar({ url }: { url: string }) {
  return (
    <section aria-labelledby="calendar" className="border-t border-line pt-12 lg:col-span-12">
      <h3 id="calendar">{contactSection.call}</h3>
      <Behaviour of={followBooking} on="visible" className="mt-6">
        {/* It has an origin of its own; a sandbox would only take its own sign-in and storage from it. */}
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
