//! The floor: the least a program must do that answers over a WebSocket what is on disk. axum, one SQLite writer with group commit, and
//! nothing else: no game, no people, no events.

use axum::Router;
use axum::extract::State;
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::routing::get;
use std::process::ExitCode;
use std::sync::mpsc::{Receiver, Sender, channel};
use tokio::sync::oneshot;

type Job = (String, oneshot::Sender<()>);

pub(crate) fn run(listen: &str, data: &str) -> ExitCode {
    let (jobs, waiting) = channel::<Job>();
    let file = std::path::Path::new(data).join("floor.db");
    std::thread::spawn(move || write(&file, &waiting).expect("the floor writes"));
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let listener = tokio::net::TcpListener::bind(listen).await.expect("an address to listen on");
        println!("listening {}", listener.local_addr().expect("its own address"));
        let upgrade = |State(jobs): State<Sender<Job>>, upgrade: WebSocketUpgrade| async move {
            upgrade.on_upgrade(move |socket| answer(socket, jobs))
        };
        let router = Router::new().route("/ws", get(upgrade)).with_state(jobs);
        let listener = axum::serve::ListenerExt::tap_io(listener, |stream| drop(stream.set_nodelay(true)));
        axum::serve(listener, router).await.expect("the floor serves");
    });
    ExitCode::SUCCESS
}

async fn answer(mut socket: WebSocket, jobs: Sender<Job>) {
    while let Some(Ok(message)) = socket.recv().await {
        let Message::Text(text) = message else { continue };
        let (done, written) = oneshot::channel();
        if jobs.send((text.to_string(), done)).is_err() || written.await.is_err() {
            return;
        }
        if socket.send(Message::Text("{\"msg\":\"done\"}".into())).await.is_err() {
            return;
        }
    }
}

fn write(file: &std::path::Path, waiting: &Receiver<Job>) -> rusqlite::Result<()> {
    let db = rusqlite::Connection::open(file)?;
    db.pragma_update(None, "journal_mode", "wal")?;
    db.pragma_update(None, "synchronous", "full")?;
    db.execute_batch("CREATE TABLE lines (id INTEGER PRIMARY KEY, text TEXT NOT NULL)")?;
    while let Ok(first) = waiting.recv() {
        let tx = db.unchecked_transaction()?;
        let mut done = Vec::new();
        {
            let mut insert = tx.prepare_cached("INSERT INTO lines (text) VALUES (?1)")?;
            for (text, answer) in std::iter::once(first).chain(waiting.try_iter().take(8_192)) {
                insert.execute([text])?;
                done.push(answer);
            }
        }
        tx.commit()?;
        for answer in done {
            let _ = answer.send(()); // who asked has gone
        }
    }
    Ok(())
}
