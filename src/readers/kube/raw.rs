//! Which fields of an object are read? Small structs: a field that is missing or redacted costs only itself.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer};

pub(super) type Map = BTreeMap<String, String>;

/// Reads a value, or takes its default where it has another shape (redacted, truncated, null).
pub(super) fn lenient<'de, D: Deserializer<'de>, T: Deserialize<'de> + Default>(deserializer: D) -> Result<T, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Either<T> {
        Value(T),
        #[allow(dead_code)]
        Other(serde::de::IgnoredAny),
    }
    Ok(match Either::<T>::deserialize(deserializer)? {
        Either::Value(value) => value,
        Either::Other(_) => T::default(),
    })
}

#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Meta {
    pub(super) name: Option<String>,
    pub(super) namespace: Option<String>,
    pub(super) uid: Option<String>,
    #[serde(deserialize_with = "lenient")]
    pub(super) creation_timestamp: Option<String>,
    #[serde(deserialize_with = "lenient")]
    pub(super) labels: Map,
}

#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct RawObject {
    pub(super) metadata: Meta,
    // Event, both APIs
    pub(super) involved_object: Option<ObjectRef>,
    pub(super) regarding: Option<ObjectRef>,
    pub(super) reason: Option<String>,
    pub(super) message: Option<String>,
    pub(super) note: Option<String>,
    #[serde(deserialize_with = "lenient")]
    pub(super) count: Option<u64>,
    #[serde(deserialize_with = "lenient")]
    pub(super) deprecated_count: Option<u64>,
    pub(super) first_timestamp: Option<String>,
    pub(super) last_timestamp: Option<String>,
    pub(super) deprecated_first_timestamp: Option<String>,
    pub(super) deprecated_last_timestamp: Option<String>,
    pub(super) event_time: Option<String>,
    pub(super) series: Option<Series>,
    pub(super) source: Option<EventSource>,
    pub(super) deprecated_source: Option<EventSource>,
    pub(super) reporting_instance: Option<String>,
    pub(super) reporting_controller: Option<String>,
    pub(super) reporting_component: Option<String>,
    // Pod, Node
    #[serde(deserialize_with = "lenient")]
    pub(super) spec: Spec,
    #[serde(deserialize_with = "lenient")]
    pub(super) status: Status,
    // Secret, ServiceAccount
    #[serde(rename = "type")]
    pub(super) kind_of_secret: Option<String>,
    #[serde(deserialize_with = "lenient")]
    pub(super) data: Map,
    #[serde(deserialize_with = "lenient")]
    pub(super) image_pull_secrets: Vec<Named>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct ObjectRef {
    pub(super) kind: Option<String>,
    pub(super) namespace: Option<String>,
    pub(super) name: Option<String>,
}

#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Series {
    pub(super) count: Option<u64>,
    pub(super) last_observed_time: Option<String>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct EventSource {
    pub(super) component: Option<String>,
    pub(super) host: Option<String>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct Named {
    pub(super) name: Option<String>,
}

#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Spec {
    pub(super) node_name: Option<String>,
    // The API server writes the account under its old name as well: two fields, since an alias takes one of them only.
    pub(super) service_account: Option<String>,
    pub(super) service_account_name: Option<String>,
    pub(super) containers: Option<Vec<Container>>,
    pub(super) init_containers: Option<Vec<Container>>,
    pub(super) ephemeral_containers: Option<Vec<Container>>,
    pub(super) image_pull_secrets: Option<Vec<Named>>,
    #[serde(deserialize_with = "lenient")]
    pub(super) template: Option<Template>,
    #[serde(rename = "clusterIP")]
    pub(super) cluster_ip: Option<String>,
    #[serde(rename = "clusterIPs")]
    pub(super) cluster_ips: Option<Vec<String>>,
    #[serde(rename = "providerID")]
    pub(super) provider_id: Option<String>,
}

/// What a workload makes pods of, as far as it says where they may run.
#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct Template {
    pub(super) spec: TemplateSpec,
}

#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct TemplateSpec {
    pub(super) node_selector: Option<Map>,
}

#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Container {
    pub(super) name: Option<String>,
    pub(super) image: Option<String>,
    pub(super) image_pull_policy: Option<String>,
}

#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Status {
    pub(super) phase: Option<String>,
    pub(super) container_statuses: Option<Vec<ContainerStatus>>,
    pub(super) init_container_statuses: Option<Vec<ContainerStatus>>,
    pub(super) addresses: Option<Vec<Address>>,
    pub(super) node_info: Option<NodeInfo>,
    pub(super) images: Option<Vec<NodeImage>>,
    #[serde(deserialize_with = "lenient")]
    pub(super) conditions: Vec<Condition>,
}

#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Condition {
    #[serde(rename = "type")]
    pub(super) kind: String,
    pub(super) status: String,
    pub(super) last_transition_time: Option<String>,
}

#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct ContainerStatus {
    pub(super) name: Option<String>,
    pub(super) image: Option<String>,
    #[serde(rename = "imageID")]
    pub(super) image_id: Option<String>,
    #[serde(deserialize_with = "lenient")]
    pub(super) state: State,
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct State {
    pub(super) waiting: Option<Wait>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct Wait {
    pub(super) reason: Option<String>,
    pub(super) message: Option<String>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct Address {
    pub(super) address: Option<String>,
}

#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct NodeInfo {
    pub(super) architecture: Option<String>,
    pub(super) operating_system: Option<String>,
    pub(super) container_runtime_version: Option<String>,
    pub(super) kubelet_version: Option<String>,
    pub(super) os_image: Option<String>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct NodeImage {
    #[serde(deserialize_with = "lenient")]
    pub(super) names: Vec<String>,
}
