import { lazy, Suspense } from 'preact/compat';
import { Route, Router, Switch } from 'wouter-preact';
import { useSession } from './api/session.ts';
import { t, useLanguage } from './i18n/index.ts';
import { Login } from './screens/session/login.tsx';
import { Frame } from './ui/frame.tsx';
import { ProblemNote } from './ui/problem-note.tsx';

const Admin = lazy(() => import('./screens/admin/admin.tsx'));
const Orders = lazy(() => import('./screens/orders/orders.tsx'));
const Carriers = lazy(() => import('./screens/carriers/carriers.tsx'));
const Close = lazy(() => import('./screens/close/close.tsx'));
const Desk = lazy(() => import('./screens/desk/desk.tsx'));
const Events = lazy(() => import('./screens/events/events.tsx'));
const Shops = lazy(() => import('./screens/shops/shops.tsx'));
const Ship = lazy(() => import('./screens/ship/ship.tsx'));
const Today = lazy(() => import('./screens/today/today.tsx'));
const Order = lazy(() => import('./screens/orders/order.tsx'));

/** Shows the login, or the frame with the screen of the address. */
export function App() {
  const [language, setLanguage] = useLanguage();
  const session = useSession();
  if (session.isPending) return <p class="page">{t('app.loading')}</p>;
  if (session.isError) return <ProblemNote error={session.error} />;
  if (session.data === null) return <Login key={language} />;
  return (
    <Router base="/console">
      <Frame key={language} session={session.data} language={language} setLanguage={setLanguage}>
        <Suspense fallback={<p>{t('app.loading')}</p>}>
          <Switch>
            <Route path="/orders/:id">
              {({ id }) => <Order key={id} id={Number(id)} session={session.data as never} />}
            </Route>
            <Route path="/close">
              <Close session={session.data} />
            </Route>
            <Route path="/shops">
              <Shops session={session.data} />
            </Route>
            <Route path="/carriers">
              <Carriers session={session.data} />
            </Route>
            <Route path="/events">
              <Events session={session.data} />
            </Route>
            <Route path="/admin/:part?">
              {({ part }) => <Admin session={session.data as never} part={part ?? 'people'} />}
            </Route>
            <Route path="/ship">
              <Ship session={session.data} />
            </Route>
            <Route path="/desk">
              <Desk session={session.data} />
            </Route>
            <Route path="/orders">
              <Orders session={session.data} />
            </Route>
            <Route>
              <Today session={session.data} />
            </Route>
          </Switch>
        </Suspense>
      </Frame>
    </Router>
  );
}
