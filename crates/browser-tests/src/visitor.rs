//! Somebody with a browser.

use crate::{Parlor, Trouble};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use thirtyfour::common::capabilities::chromium::ChromiumLikeCapabilities;
use thirtyfour::error::WebDriverErrorInner;
use thirtyfour::prelude::*;

/// What somebody looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Screen {
    /// 1280 × 800, with a mouse.
    Wide,
    /// 390 × 844, with fingers.
    Phone,
}

/// Somebody with a browser of their own. Dropped, the browser closes first, then its driver, then its folder goes.
pub struct Visitor {
    /// The browser.
    pub driver: WebDriver,
    screen: Screen,
    _chromedriver: Chromedriver,
    _profile: Profile,
}

/// The program that drives a browser. Stopped when dropped.
struct Chromedriver(Child);

impl Drop for Chromedriver {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The folder of a browser. Gone when dropped.
struct Profile(PathBuf);

impl Drop for Profile {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A name that leads to this machine without saying so: what a browser allows to 127.0.0.1 only, it does not allow there.
pub const ELSEWHERE: &str = "parlor.test";

/// How long something may take to come. A bot may take both its throws, each with a clock of a minute and a half.
const PATIENCE: Duration = Duration::from_secs(200);

/// How long a browser may take to answer what is told to it beside the page.
const ANSWERS: Duration = Duration::from_secs(40);

/// What can be told twice: it asks, or sets what is set already.
const REPEATABLE: [&str; 6] = [
    "Accessibility.",
    "Emulation.",
    "Network.",
    "Page.captureScreenshot",
    "Page.setFontSizes",
    "Performance.",
];

impl Visitor {
    /// Somebody new: a browser that has never been here.
    pub async fn new(screen: Screen) -> Result<Visitor, Trouble> {
        static NEXT: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
        let number = NEXT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let profile =
            Profile(std::env::temp_dir().join(format!("parlor-chromium-{}-{number}", std::process::id())));
        let (chromedriver, port) = start_chromedriver()?;
        let mut caps = DesiredCapabilities::chrome();
        for flag in [
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--hide-scrollbars",
            "--window-size=1280,937",
        ] {
            caps.add_arg(flag)?;
        }
        caps.add_arg(&format!("--user-data-dir={}", profile.0.display()))?;
        caps.add_arg(&format!("--host-resolver-rules=MAP {ELSEWHERE} 127.0.0.1"))?;
        if screen == Screen::Phone {
            let metrics = json!({"deviceMetrics": {"width": 390, "height": 844, "pixelRatio": 2, "touch": true, "mobile": true}});
            caps.add_experimental_option("mobileEmulation", metrics)?;
        }
        let driver = WebDriver::new(&format!("http://127.0.0.1:{port}"), caps).await?;
        Ok(Visitor { driver, screen, _chromedriver: chromedriver, _profile: profile })
    }

    /// What they look at.
    pub fn screen(&self) -> Screen {
        self.screen
    }

    /// Goes to a place in the house.
    pub async fn go(&self, parlor: &Parlor, path: &str) -> Result<(), Trouble> {
        Ok(self.driver.goto(parlor.url(path)).await?)
    }

    /// Asks the page a question in JavaScript.
    pub async fn ask(&self, question: &str) -> Result<Value, Trouble> {
        Ok(self.driver.execute(question, Vec::new()).await?.json().clone())
    }

    /// The words on the first thing that a selector finds; empty if there is none.
    pub async fn reads(&self, selector: &str) -> Result<String, Trouble> {
        let question = format!("return document.querySelector({})?.textContent ?? ''", json!(selector));
        Ok(self.ask(&question).await?.as_str().unwrap_or_default().to_owned())
    }

    /// Waits until a question is answered with yes.
    pub async fn until(&self, what: &str, question: &str) -> Result<(), Trouble> {
        self.waits(what, question, PATIENCE).await
    }

    /// Waits until a question is answered with yes by itself: nobody has to do anything for it any more.
    pub async fn soon(&self, what: &str, question: &str) -> Result<(), Trouble> {
        self.waits(what, question, Duration::from_secs(20)).await
    }

    async fn waits(&self, what: &str, question: &str, patience: Duration) -> Result<(), Trouble> {
        let begun = Instant::now();
        loop {
            if self.ask(&format!("return !!({question})")).await? == Value::Bool(true) {
                return Ok(());
            }
            if begun.elapsed() > patience {
                let page = self.reads("body").await?;
                // Whatever becomes of the picture: what was waited for is told.
                let picture = self.picture("failure").await.err();
                let picture = picture.map_or_else(String::new, |why| format!(" (no picture: {why})"));
                return Err(format!("waited in vain for {what}; the page says: {page}{picture}").into());
            }
            tokio::time::sleep(Duration::from_millis(40)).await;
        }
    }

    /// Waits until a selector finds something.
    pub async fn sees(&self, selector: &str) -> Result<(), Trouble> {
        self.until(selector, &format!("document.querySelector({})", json!(selector))).await
    }

    /// Clicks the first thing that a selector finds, once it is there and lets itself be clicked.
    pub async fn click(&self, selector: &str) -> Result<(), Trouble> {
        let ready = format!(
            "(e => e && !e.disabled && e.getBoundingClientRect().width > 0 \
                && e.checkVisibility({{visibilityProperty: true}}))(document.querySelector({}))",
            json!(selector)
        );
        self.until(selector, &ready).await?;
        self.settles(selector).await?;
        Ok(self.driver.find(By::Css(selector)).await?.click().await?)
    }

    /// Waits until something no longer slides about; what is never still is not waited for.
    async fn settles(&self, selector: &str) -> Result<(), Trouble> {
        let still = format!(
            "const done = arguments[arguments.length - 1], thing = document.querySelector({}); \
             const at = () => {{ const box = thing?.getBoundingClientRect(); return `${{box?.x}} ${{box?.y}}`; }}; \
             const before = at(); requestAnimationFrame(() => requestAnimationFrame(() => done(before === at())));",
            json!(selector)
        );
        for _ in 0..5 {
            if *self.driver.execute_async(&still, Vec::new()).await?.json() == Value::Bool(true) {
                break;
            }
            self.rests().await?;
        }
        Ok(())
    }

    /// Chooses a file, as the dialog of the browser would.
    pub async fn chooses(&self, selector: &str, file: &Path) -> Result<(), Trouble> {
        self.sees(selector).await?;
        Ok(self.driver.find(By::Css(selector)).await?.send_keys(file.to_string_lossy()).await?)
    }

    /// Types keys into whatever has the focus.
    pub async fn types(&self, keys: &str) -> Result<(), Trouble> {
        Ok(self.driver.action_chain().send_keys(keys).perform().await?)
    }

    /// Gives something the focus.
    pub async fn focuses(&self, selector: &str) -> Result<(), Trouble> {
        self.sees(selector).await?;
        self.ask(&format!("document.querySelector({}).focus()", json!(selector))).await?;
        Ok(())
    }

    /// Remembers something in the browser, as the page itself does.
    pub async fn remembers(&self, name: &str, value: &Value) -> Result<(), Trouble> {
        let line = format!("localStorage.setItem({}, {})", json!(name), json!(value.to_string()));
        self.ask(&line).await?;
        Ok(())
    }

    /// Where a point of a drawing is on the screen.
    pub async fn point(&self, svg: &str, x: f64, y: f64) -> Result<(f64, f64), Trouble> {
        let question = format!(
            "const s = document.querySelector({}); const p = s.createSVGPoint(); p.x = {x}; p.y = {y}; \
             const q = p.matrixTransform(s.getScreenCTM()); return [q.x, q.y]",
            json!(svg)
        );
        let answer = self.ask(&question).await?;
        let number = |at: usize| answer.get(at).and_then(Value::as_f64).ok_or("no such drawing");
        Ok((number(0)?, number(1)?))
    }

    /// Where the middle of the first thing that a selector finds is on the screen, once it is there and rests.
    pub async fn middle(&self, selector: &str) -> Result<(f64, f64), Trouble> {
        self.sees(selector).await?;
        let question = format!(
            "const r = document.querySelector({}).getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]",
            json!(selector)
        );
        let mut before = Value::Null;
        loop {
            let now = self.ask(&question).await?;
            if now == before {
                let number = |at: usize| now.get(at).and_then(Value::as_f64).ok_or("nothing there");
                return Ok((number(0)?, number(1)?));
            }
            before = now;
            self.rests().await?;
        }
    }

    /// Taps the first thing that a selector finds.
    pub async fn taps(&self, selector: &str) -> Result<(), Trouble> {
        let at = self.middle(selector).await?;
        self.drags(at, at).await
    }

    /// Puts a finger on one point of a drawing, draws it to another, and lifts it.
    pub async fn finger(&self, svg: &str, from: (f64, f64), to: (f64, f64)) -> Result<(), Trouble> {
        let (start, end) = (self.point(svg, from.0, from.1).await?, self.point(svg, to.0, to.1).await?);
        self.drags(start, end).await
    }

    /// Puts a finger on one point of the screen, draws it to another, and lifts it.
    pub async fn drags(&self, start: (f64, f64), end: (f64, f64)) -> Result<(), Trouble> {
        let touch = |kind: &str, points: Value| json!({"type": kind, "touchPoints": points});
        let at = |part: f64| json!([{"x": start.0 + (end.0 - start.0) * part, "y": start.1 + (end.1 - start.1) * part}]);
        self.tell("Input.dispatchTouchEvent", touch("touchStart", at(0.0))).await?;
        if start != end {
            for step in 1..=6 {
                self.tell("Input.dispatchTouchEvent", touch("touchMove", at(f64::from(step) / 6.0))).await?;
            }
        }
        self.tell("Input.dispatchTouchEvent", touch("touchEnd", json!([]))).await?;
        Ok(())
    }

    /// Light or dark, as the system would wish it.
    pub async fn wishes(&self, scheme: &str) -> Result<(), Trouble> {
        // Without motion the page is as it will be at once: pictures need not wait.
        let media = json!({"features": [{"name": "prefers-color-scheme", "value": scheme}, {"name": "prefers-reduced-motion", "value": "reduce"}]});
        self.tell("Emulation.setEmulatedMedia", media).await?;
        Ok(())
    }

    /// Looks through a window of that size, on a screen of that density.
    pub async fn looks_through(&self, width: u32, height: u32) -> Result<(), Trouble> {
        let phone = width.min(height) < 700;
        let metrics = json!({"width": width, "height": height, "deviceScaleFactor": if phone { 2 } else { 1 }, "mobile": phone});
        self.tell("Emulation.setDeviceMetricsOverride", metrics).await?;
        // Fingers that came and went leave Chromium deaf to some of their taps: who has them keeps them.
        let touch = json!({"enabled": phone || self.screen == Screen::Phone});
        self.tell("Emulation.setTouchEmulationEnabled", touch).await?;
        self.until("the window", &format!("document.documentElement.clientWidth === {width}")).await?;
        self.rests().await
    }

    /// Reads letters so many times as large as usual: the size that is set in the browser, which pages go by.
    pub async fn enlarges(&self, times: u32) -> Result<(), Trouble> {
        let sizes = json!({"fontSizes": {"standard": 16 * times, "fixed": 13 * times}});
        self.tell("Page.setFontSizes", sizes).await?;
        Ok(())
    }

    /// Makes the processor so many times slower.
    pub async fn slows_down(&self, times: u32) -> Result<(), Trouble> {
        self.tell("Emulation.setCPUThrottlingRate", json!({"rate": times})).await?;
        Ok(())
    }

    /// How long the page's thread has worked so far, in milliseconds of the processor: a busy machine does not lengthen it.
    pub async fn work(&self) -> Result<f64, Trouble> {
        self.tell("Performance.enable", json!({"timeDomain": "threadTicks"})).await?;
        let told = self.tell("Performance.getMetrics", json!({})).await?;
        let metrics = told.get("metrics").and_then(Value::as_array).cloned().unwrap_or_default();
        let found = metrics.iter().find(|metric| metric.get("name") == Some(&json!("TaskDuration")));
        let seconds = found.and_then(|metric| metric.get("value")).and_then(Value::as_f64);
        Ok(seconds.ok_or("the browser does not tell")? * 1000.0)
    }

    /// Moves the mouse, with its button up or down.
    pub async fn mouse(&self, kind: &str, at: (f64, f64), down: bool) -> Result<(), Trouble> {
        let button = if kind == "mouseMoved" && !down { "none" } else { "left" };
        let event = json!({"type": kind, "x": at.0, "y": at.1, "button": button, "buttons": u8::from(down), "clickCount": 1});
        self.tell("Input.dispatchMouseEvent", event).await?;
        Ok(())
    }

    /// Pulls the plug, or puts it back.
    pub async fn offline(&self, offline: bool) -> Result<(), Trouble> {
        self.tell("Network.enable", json!({})).await?;
        let conditions =
            json!({"offline": offline, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1});
        self.tell("Network.emulateNetworkConditions", conditions).await?;
        Ok(())
    }

    /// Addresses that cannot be had any more, with `*` for anything; nothing that was put by helps.
    pub async fn misses(&self, addresses: &[&str]) -> Result<(), Trouble> {
        self.tell("Network.enable", json!({})).await?;
        self.tell("Network.setBypassServiceWorker", json!({"bypass": true})).await?;
        self.tell("Network.setCacheDisabled", json!({"cacheDisabled": true})).await?;
        self.tell("Network.setBlockedURLs", json!({"urls": addresses})).await?;
        Ok(())
    }

    /// From the next page on, whatever comes over a socket goes through this function in JavaScript first.
    pub async fn hears(&self, change: &str) -> Result<(), Trouble> {
        let script = format!(
            "{{
                const change = {change};
                const own = Object.getOwnPropertyDescriptor(WebSocket.prototype, 'onmessage');
                const told = event => new MessageEvent('message', {{data: JSON.stringify(change(JSON.parse(event.data)))}});
                Object.defineProperty(WebSocket.prototype, 'onmessage', {{
                    configurable: true,
                    get() {{ return own.get.call(this); }},
                    set(hear) {{ own.set.call(this, hear && (event => hear.call(this, told(event)))); }},
                }});
            }}"
        );
        self.tell("Page.enable", json!({})).await?;
        self.tell("Page.addScriptToEvaluateOnNewDocument", json!({"source": script})).await?;
        Ok(())
    }

    /// Every node of the page as a screen reader has it: role and name.
    pub async fn tree(&self) -> Result<Vec<(String, String)>, Trouble> {
        let tree = self.tell("Accessibility.getFullAXTree", json!({})).await?;
        let text = |node: &Value, path: &str| {
            node.pointer(path).and_then(Value::as_str).unwrap_or_default().to_owned()
        };
        let nodes = tree.get("nodes").and_then(Value::as_array).cloned().unwrap_or_default();
        let seen = nodes.iter().filter(|node| node.get("ignored") != Some(&Value::Bool(true)));
        Ok(seen.map(|node| (text(node, "/role/value"), text(node, "/name/value"))).collect())
    }

    /// A picture of the screen, kept under `target/screens`.
    pub async fn picture(&self, name: &str) -> Result<(), Trouble> {
        let size = if self.screen == Screen::Phone { "phone" } else { "wide" };
        self.pictures(&format!("{name}-{size}")).await
    }

    /// Waits until everything that moves has come to rest, and is painted so. What moves for ever is not waited for.
    async fn rests(&self) -> Result<(), Trouble> {
        let still = "const done = arguments[arguments.length - 1]; \
            const frame = () => new Promise(requestAnimationFrame); \
            const ends = motion => motion.playState === 'running' && motion.effect.getComputedTiming().endTime < 5000; \
            const rest = async () => { \
                await frame(); \
                await Promise.allSettled(document.getAnimations().filter(ends).map(motion => motion.finished)); \
                await frame(); \
                setTimeout(done, 120); \
            }; \
            rest();";
        self.driver.execute_async(still, Vec::new()).await?;
        Ok(())
    }

    /// A picture of the screen under exactly this name.
    pub async fn pictures(&self, name: &str) -> Result<(), Trouble> {
        let how = json!({"format": "png", "optimizeForSpeed": true});
        self.captures(how, &format!("{name}.png")).await
    }

    /// A small picture of a wide screen, for whoever has not seen the house yet: `cargo xtask pictures` puts them into `docs/pictures`.
    pub async fn postcard(&self, name: &str) -> Result<(), Trouble> {
        let how = json!({"format": "webp", "quality": 82});
        self.captures(how, &format!("postcards/{name}.webp")).await
    }

    async fn captures(&self, how: Value, file: &str) -> Result<(), Trouble> {
        self.rests().await?;
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/screens").join(file);
        std::fs::create_dir_all(path.parent().unwrap_or(&path))?;
        Ok(std::fs::write(path, self.captured(how).await?)?)
    }

    /// A picture of the screen as it is at this moment.
    pub(crate) async fn captured(&self, how: Value) -> Result<Vec<u8>, Trouble> {
        let picture = self.tell("Page.captureScreenshot", how).await?;
        let text = picture.get("data").and_then(Value::as_str).ok_or("no picture")?;
        Ok(BASE64_STANDARD.decode(text)?)
    }

    /// Everything that is meant to be touched is at least 44 pixels wide and high.
    pub async fn fingers_fit(&self) -> Result<(), Trouble> {
        let small = self
            .ask(
                "return [...document.querySelectorAll('button, select, input:not([type=range]), summary, a.btn, a.box, a.ticket-go')] \
                   .filter(e => { const r = (e.matches('.switch, [type=file]') && e.closest('label, .field') || e).getBoundingClientRect(); \
                     return e.checkVisibility({visibilityProperty: true}) && r.width > 0 && (Math.round(r.height) < 44 || Math.round(r.width) < 44) && !e.matches('.dot'); }) \
                   .map(e => `${e.outerHTML.slice(0, 90)} ${e.getBoundingClientRect().width}x${e.getBoundingClientRect().height}`)",
            )
            .await?;
        match small.as_array() {
            Some(none) if none.is_empty() => Ok(()),
            _ => Err(format!("too small for a finger: {small}").into()),
        }
    }

    /// Where there is a board, it has a good part of the window, as soon as it has noticed how large that is.
    pub async fn board_is_the_page(&self) -> Result<(), Trouble> {
        let large = "(board => !board || [...board.querySelectorAll('svg')].some(svg => { \
            const r = svg.getBoundingClientRect(); return r.width * r.height > 0.18 * innerWidth * innerHeight; }))\
            (document.querySelector('.board'))";
        self.until("the board to have a good part of the window", large).await
    }

    /// Where there is a board, the page is one screen, as soon as the board has noticed how large that is: nothing scrolls down.
    pub async fn table_is_one_screen(&self) -> Result<(), Trouble> {
        let one = "!document.querySelector('.board') || document.documentElement.scrollHeight <= innerHeight";
        self.until("the table to be one screen", one).await
    }

    /// Nothing scrolls sideways.
    pub async fn fits(&self) -> Result<(), Trouble> {
        let over = self
            .ask("return document.documentElement.scrollWidth - document.documentElement.clientWidth")
            .await?;
        if over.as_i64().unwrap_or(0) > 0 {
            let widest = "return [...document.body.querySelectorAll('*')] \
                .filter(e => e.getBoundingClientRect().right > document.documentElement.clientWidth) \
                .map(e => e.outerHTML.slice(0, 80))";
            let widest = self.ask(widest).await?;
            return Err(format!("the page is {over} pixels too wide: {widest}").into());
        }
        Ok(())
    }

    /// Tells the browser something beside the page, and waits for its answer. A browser that is silent is asked again where that
    /// changes nothing. What was touched or typed is not repeated: if the page still answers, whether it heard is for the test to see.
    async fn tell(&self, method: &str, with: Value) -> Result<Value, Trouble> {
        let tries = if REPEATABLE.iter().any(|start| method.starts_with(start)) { 3 } else { 1 };
        for _ in 0..tries {
            let tools = self.driver.cdp();
            let told = tools.send_raw(method, with.clone());
            match tokio::time::timeout(ANSWERS, told).await {
                Ok(Ok(answer)) => return Ok(answer),
                Ok(Err(why)) if !matches!(*why, WebDriverErrorInner::HttpError(_)) => return Err(why.into()),
                // The way to the browser broke off.
                Ok(Err(why)) => eprintln!("nobody answered {method} {with}: {why:?}"),
                Err(_) => eprintln!("the browser did not answer {method} {with} in {ANSWERS:?}"),
            }
        }
        let page = self.driver.execute("return document.title", Vec::new());
        match tokio::time::timeout(ANSWERS, page).await {
            Ok(Ok(_)) if method.starts_with("Input.") => Ok(Value::Null),
            Ok(Ok(_)) => Err(format!("the browser does not answer {method} {with}; its page does").into()),
            Ok(Err(_)) | Err(_) => {
                Err(format!("neither browser nor page answer since {method} {with}").into())
            }
        }
    }

    /// Closes the browser.
    pub async fn leaves(self) -> Result<(), Trouble> {
        self.driver.clone().quit().await?;
        Ok(())
    }
}

/// It takes a free port for IPv4 and wants the same for IPv6: where another took that one in between, it ends at once.
fn start_chromedriver() -> Result<(Chromedriver, u16), Trouble> {
    let mut last = String::new();
    for _ in 0..10 {
        match try_chromedriver()? {
            Ok(started) => return Ok(started),
            Err(said) => last = said,
        }
    }
    Err(format!("chromedriver ended at once, ten times: {last}").into())
}

/// A chromedriver and its port, or what it said before it ended.
fn try_chromedriver() -> Result<Result<(Chromedriver, u16), String>, Trouble> {
    let child = Command::new("chromedriver")
        .arg("--port=0")
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|why| {
            format!("chromedriver does not start ({why}); install chromium and chromium-driver")
        })?;
    let mut child = Chromedriver(child);
    let stdout = child.0.stdout.take().ok_or("chromedriver has no output")?;
    let mut lines = BufReader::new(stdout).lines();
    let mut heard = String::new();
    while let Some(line) = lines.next() {
        let line = line?;
        let said = line.rsplit("on port ").next().unwrap_or("").trim_end_matches('.');
        if let Some(port) = said.parse::<u16>().ok().filter(|port| *port > 0) {
            std::thread::spawn(move || lines.for_each(drop));
            return Ok(Ok((child, port)));
        }
        heard.push_str(&line);
        heard.push('\n');
    }
    Ok(Err(heard))
}
