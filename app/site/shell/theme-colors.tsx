import type { Theme } from '#app/platform/http/request-context.server.ts'
import { paper } from '#app/ui/paper.ts'

/** Tells the browser the color scheme before it has loaded any style: for its own bars, fields and the first blank moment. */
export function ThemeColors({ theme }: { theme: Theme }) {
  if (theme !== 'system') {
    return (
      <>
        <meta name="color-scheme" content={theme} />
        <meta name="theme-color" content={paper[theme]} />
      </>
    )
  }
  return (
    <>
      <meta name="color-scheme" content="light dark" />
      <meta name="theme-color" content={paper.light} media="(prefers-color-scheme: light)" />
      <meta name="theme-color" content={paper.dark} media="(prefers-color-scheme: dark)" />
    </>
  )
}
