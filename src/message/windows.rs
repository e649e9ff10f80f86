//! What do Windows' own errors say in the languages in which it says them? Go prints the system's text as it is.
//!
//! `connectex: Es konnte keine Verbindung hergestellt werden, da der Zielcomputer die Verbindung verweigerte.`

use super::leaves::Leaf::{self, Is, Net as N};
use super::leaves::Phrase;
use super::token::Net;
use super::words::Symptom as S;

/// Cut before the first apostrophe, which is written in more than one way.
pub(super) static LEAVES: &[Phrase] = &[
    // WSAETIMEDOUT
    ("Ein Verbindungsversuch ist fehlgeschlagen, da die Gegenstelle", N(Net::Timeout)),
    ("Une tentative de connexion a échoué car le parti connecté", N(Net::Timeout)),
    ("Se produjo un error durante el intento de conexión", N(Net::Timeout)),
    ("Impossibile stabilire la connessione. Risposta non corretta", N(Net::Timeout)),
    ("Uma tentativa de conexão falhou porque o componente conectado", N(Net::Timeout)),
    ("Попытка установить соединение была безуспешной", N(Net::Timeout)),
    ("接続済みの呼び出し先が一定の時間を過ぎても正しく応答しなかった", N(Net::Timeout)),
    ("由于连接方在一段时间后没有正确答复", N(Net::Timeout)),
    // WSAECONNREFUSED
    ("Es konnte keine Verbindung hergestellt werden, da der Zielcomputer", N(Net::Refused)),
    ("Aucune connexion n", N(Net::Refused)),
    ("No se puede establecer una conexión ya que el equipo de destino", N(Net::Refused)),
    ("Impossibile stabilire la connessione. Rifiuto persistente", N(Net::Refused)),
    ("Nenhuma conexão pôde ser feita porque a máquina de destino", N(Net::Refused)),
    ("Подключение не установлено", N(Net::Refused)),
    ("対象のコンピューターによって拒否されたため、接続できませんでした", N(Net::Refused)),
    ("由于目标计算机积极拒绝", N(Net::Refused)),
    // WSAECONNRESET
    ("Eine vorhandene Verbindung wurde vom Remotehost geschlossen", N(Net::Reset)),
    ("Une connexion existante a dû être fermée par", N(Net::Reset)),
    ("Se ha forzado la interrupción de una conexión existente", N(Net::Reset)),
    ("Connessione in corso interrotta forzatamente", N(Net::Reset)),
    ("Foi forçado o cancelamento de uma conexão existente", N(Net::Reset)),
    ("Удаленный хост принудительно разорвал", N(Net::Reset)),
    ("既存の接続はリモート ホストに強制的に切断されました", N(Net::Reset)),
    ("远程主机强迫关闭了一个现有的连接", N(Net::Reset)),
    // WSAHOST_NOT_FOUND
    ("Der angegebene Host ist unbekannt", N(Net::NoSuchHost)),
    ("Es ist kein Host unter diesem Namen bekannt", N(Net::NoSuchHost)),
    ("Hôte inconnu", N(Net::NoSuchHost)),
    ("Host desconocido", N(Net::NoSuchHost)),
    ("Host sconosciuto", N(Net::NoSuchHost)),
    ("Este host não é conhecido", N(Net::NoSuchHost)),
    ("Этот хост неизвестен", N(Net::NoSuchHost)),
    ("そのようなホストは不明です", N(Net::NoSuchHost)),
    ("不知道这样的主机", N(Net::NoSuchHost)),
    // ERROR_ACCESS_DENIED
    ("Access is denied", Is(S::LocalAccessDenied, 90)),
    ("Zugriff verweigert", Is(S::LocalAccessDenied, 90)),
    ("Accès refusé", Is(S::LocalAccessDenied, 90)),
    ("Acceso denegado", Is(S::LocalAccessDenied, 90)),
    ("Accesso negato", Is(S::LocalAccessDenied, 90)),
    ("アクセスが拒否されました", Is(S::LocalAccessDenied, 90)),
    ("拒绝访问", Is(S::LocalAccessDenied, 90)),
    // ERROR_DISK_FULL
    ("There is not enough space on the disk", Is(S::DiskFull, 97)),
    ("Es steht nicht genug Speicherplatz auf dem Datenträger", Is(S::DiskFull, 97)),
    ("Espace insuffisant sur le disque", Is(S::DiskFull, 97)),
    ("Espacio en disco insuficiente", Is(S::DiskFull, 97)),
    ("ディスクに十分な空き領域がありません", Is(S::DiskFull, 97)),
    ("磁盘空间不足", Is(S::DiskFull, 97)),
    // The call that failed, where its text is in a language that nobody knows.
    ("wsarecv:", Leaf::Call),
    ("wsasend:", Leaf::Call),
];
