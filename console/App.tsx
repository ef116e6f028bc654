import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { ErrorBoundary, LocationProvider, Route, Router, lazy, useLocation } from 'preact-iso'
import { CurrentInstance, screenPath } from './address.ts'
import { boot } from './boot.ts'
import { RequestError } from './api/request.ts'
import { WithSecondFactor } from './shell/FactorNeeded.tsx'
import { Links } from './screens/links/Links.tsx'
import { SessionDialogs } from './shell/SessionDialogs.tsx'
import { Shell } from './shell/Shell.tsx'
import { ErrorPanel, Skeleton } from './ui/States.tsx'

// One chunk for each group of screens, but for the links, where most of the work begins.
const Home = lazy(() => import('./screens/home/Home.tsx').then((part) => part.Home))
const LinkScreen = lazy(() =>
  import('./screens/links/LinkScreen.tsx').then((part) => part.LinkScreen),
)
const editor = () => import('./screens/links/EditedLink.tsx')
const NewLink = lazy(() => editor().then((part) => part.NewLink))
const EditLink = lazy(() => editor().then((part) => part.EditLink))
const EditDeepLink = lazy(() => editor().then((part) => part.EditDeepLink))
const DeepLinks = lazy(() => import('./screens/links/DeepLinks.tsx').then((part) => part.DeepLinks))
const DeepLinkScreen = lazy(() =>
  import('./screens/links/DeepLinkScreen.tsx').then((part) => part.DeepLinkScreen),
)
const Start = lazy(() => import('./screens/start/Start.tsx').then((part) => part.Start))
const Payments = lazy(() => import('./screens/payments/Payments.tsx').then((part) => part.Payments))
const PaymentScreen = lazy(() =>
  import('./screens/payments/PaymentScreen.tsx').then((part) => part.PaymentScreen),
)
const movements = () => import('./screens/payments/MovementLists.tsx')
const Refunds = lazy(() => movements().then((part) => part.Refunds))
const Captures = lazy(() => movements().then((part) => part.Captures))
const Voids = lazy(() => movements().then((part) => part.Voids))

const Customers = lazy(() =>
  import('./screens/customers/Customers.tsx').then((part) => part.Customers),
)
const CustomerScreen = lazy(() =>
  import('./screens/customers/CustomerScreen.tsx').then((part) => part.CustomerScreen),
)
const chargeLists = () => import('./screens/charges/Charges.tsx')
const Charges = lazy(() => chargeLists().then((part) => part.Charges))
const Contracts = lazy(() => chargeLists().then((part) => part.Contracts))
const chargeScreens = () => import('./screens/charges/ChargeScreen.tsx')
const ChargeScreen = lazy(() => chargeScreens().then((part) => part.ChargeScreen))
const ContractScreen = lazy(() =>
  import('./screens/charges/ContractScreen.tsx').then((part) => part.ContractScreen),
)
const Checkouts = lazy(() =>
  import('./screens/checkouts/Checkouts.tsx').then((part) => part.Checkouts),
)
const CheckoutScreen = lazy(() =>
  import('./screens/checkouts/CheckoutScreen.tsx').then((part) => part.CheckoutScreen),
)
const Webhooks = lazy(() =>
  import('./screens/developers/Webhooks.tsx').then((part) => part.Webhooks),
)
const WebhookScreen = lazy(() =>
  import('./screens/developers/WebhookScreen.tsx').then((part) => part.WebhookScreen),
)
const Keys = lazy(() => import('./screens/developers/Keys.tsx').then((part) => part.Keys))
const KeyScreen = lazy(() =>
  import('./screens/developers/KeyScreen.tsx').then((part) => part.KeyScreen),
)
const Deliveries = lazy(() =>
  import('./screens/developers/Deliveries.tsx').then((part) => part.Deliveries),
)
const eventScreens = () => import('./screens/developers/Events.tsx')
const Events = lazy(() => eventScreens().then((part) => part.Events))
const EventScreen = lazy(() => eventScreens().then((part) => part.EventScreen))
const Platforms = lazy(() =>
  import('./screens/developers/Platforms.tsx').then((part) => part.Platforms),
)
const Settings = lazy(() => import('./screens/settings/Settings.tsx').then((part) => part.Settings))
const Processors = lazy(() =>
  import('./screens/settings/Processors.tsx').then((part) => part.Processors),
)
const Audit = lazy(() => import('./screens/settings/Audit.tsx').then((part) => part.Audit))
const Entities = lazy(() => import('./screens/settings/Entities.tsx').then((part) => part.Entities))
const Routes = lazy(() => import('./screens/settings/Routes.tsx').then((part) => part.Routes))
const Users = lazy(() => import('./screens/users/Users.tsx').then((part) => part.Users))
const Wording = lazy(() => import('./screens/wording/Wording.tsx').then((part) => part.Wording))
const Look = lazy(() => import('./screens/look/Look.tsx').then((part) => part.Look))
const Me = lazy(() => import('./screens/me/Me.tsx').then((part) => part.Me))

export function App() {
  return (
    <LocationProvider scope="/console">
      <ErrorBoundary>
        <Frame>
          <Router onLoadEnd={() => whenTitled()} onRouteChange={announceScreen}>
            <Route path="/console" component={Entry} />
            <Route path="/console/:instance/links" component={Links} />
            <Route path="/console/start" component={Start} />
            <Route path="/console/me" component={Me} />
            <Route path="/console/:instance" component={Home} />
            <Route path="/console/:instance/links/new" component={NewLink} />
            <Route path="/console/:instance/links/deep" component={DeepLinks} />
            <Route path="/console/:instance/links/deep/:id" component={DeepLinkScreen} />
            <Route path="/console/:instance/links/deep/:id/edit" component={EditDeepLink} />
            <Route path="/console/:instance/links/:id" component={LinkScreen} />
            <Route path="/console/:instance/links/:id/edit" component={EditLink} />
            <Route path="/console/:instance/payments" component={Payments} />
            <Route path="/console/:instance/payments/:id" component={PaymentScreen} />
            <Route path="/console/:instance/refunds" component={Refunds} />
            <Route path="/console/:instance/captures" component={Captures} />
            <Route path="/console/:instance/voids" component={Voids} />
            <Route path="/console/:instance/customers" component={Customers} />
            <Route path="/console/:instance/customers/:id" component={CustomerScreen} />
            <Route path="/console/:instance/charges" component={Charges} />
            <Route path="/console/:instance/charges/:id" component={ChargeScreen} />
            <Route path="/console/:instance/contracts" component={Contracts} />
            <Route path="/console/:instance/contracts/:id" component={ContractScreen} />
            <Route path="/console/:instance/checkouts" component={Checkouts} />
            <Route path="/console/:instance/checkouts/:id" component={CheckoutScreen} />
            <Route path="/console/:instance/developers" component={Webhooks} />
            <Route path="/console/:instance/developers/webhooks" component={Webhooks} />
            <Route path="/console/:instance/developers/webhooks/:id" component={WebhookScreen} />
            <Route path="/console/:instance/developers/keys" component={Keys} />
            <Route path="/console/:instance/developers/keys/:id" component={KeyScreen} />
            <Route path="/console/:instance/developers/deliveries" component={Deliveries} />
            <Route path="/console/:instance/developers/events" component={Events} />
            <Route path="/console/:instance/developers/events/:id" component={EventScreen} />
            <Route path="/console/:instance/developers/platforms" component={Platforms} />
            <Route path="/console/:instance/settings" component={Settings} />
            <Route path="/console/:instance/settings/processors" component={Processors} />
            <Route path="/console/:instance/settings/entities" component={Entities} />
            <Route path="/console/:instance/settings/routes" component={Routes} />
            <Route path="/console/:instance/settings/audit" component={Audit} />
            <Route path="/console/:instance/settings/users" component={Users} />
            <Route path="/console/:instance/settings/:page" component={Settings} />
            <Route path="/console/:instance/wording" component={Wording} />
            <Route path="/console/:instance/look" component={Look} />
            <Route path="/console/:instance/look/:branding" component={Look} />
            <Route default component={NotFound} />
          </Router>
        </Frame>
        <SessionDialogs />
      </ErrorBoundary>
    </LocationProvider>
  )
}

/** Leads to the first instance, and to the form of the first link while there is none. */
function Entry() {
  const { route } = useLocation()
  const [first] = boot.instances
  useEffect(() => {
    if (first) route(boot.firstRun ? '/console/start' : screenPath(first.key, ''), true)
  }, [])
  return first ? <Skeleton /> : <NoInstance />
}

/**
 * What stands around the screens. It stays while they change, and with it the place in the sidebar. The
 * screens of a user are within the first instance.
 */
function Frame({ children }: { children: ComponentChildren }) {
  const { path } = useLocation()
  const [, , key = ''] = path.split('/')
  if (key === '') return <>{children}</>
  const ofUser = key === 'me' || key === 'start'
  const instance = ofUser
    ? boot.instances[0]
    : boot.instances.find((one) => one.key === decodeURIComponent(key))
  if (!instance) return <NoInstance />
  // Another instance draws its screens anew, so that no form keeps what belongs to the former one.
  const screens = (
    <WithSecondFactor key={instance.key} isRequired={key !== 'me'}>
      {children}
    </WithSecondFactor>
  )
  return (
    <CurrentInstance value={instance}>
      {key === 'start' ? screens : <Shell>{screens}</Shell>}
    </CurrentInstance>
  )
}

function NotFound() {
  return <ErrorPanel isScreen error={new RequestError('', { status: 404, type: 'NOT_FOUND' })} />
}

function NoInstance() {
  return (
    <main>
      <NotFound />
      {boot.instances.map(({ key, name }) => (
        <p key={key}>
          <a href={screenPath(key, '/')}>{name}</a>
        </p>
      ))}
    </main>
  )
}

/** Moves the focus to the heading of the new screen, so that screen readers read it. */
function announceScreen(): void {
  requestAnimationFrame(() => {
    document.title = 'Checkstand'
    whenTitled((heading) => heading.focus({ preventScroll: true }))
  })
}

let waiting: MutationObserver | undefined

/** Names the tab of the browser after the screen once it has its heading, which may need an answer. */
function whenTitled(act: (heading: HTMLElement) => void = () => {}): void {
  const look = () => {
    const heading = document.getElementById('screen-title')
    if (!heading?.textContent) return
    waiting?.disconnect()
    document.title = `${heading.textContent} – Checkstand`
    act(heading)
  }
  waiting?.disconnect()
  waiting = new MutationObserver(look)
  waiting.observe(document.body, { childList: true, subtree: true })
  look()
}
