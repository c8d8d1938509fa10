import java.io.File;
import java.io.FileOutputStream;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.MiniYARNCluster;

/** HDFS and YARN with two machines, until standard input ends; what clients must know is in conf/. */
public class MiniClusters {
    public static void main(String[] folder) {
        try {
            run(folder[0]);
        } catch (Throwable error) {
            error.printStackTrace();
            System.exit(1);
        }
    }

    private static void run(String folder) throws Exception {
        Configuration conf = new YarnConfiguration();
        conf.set("hadoop.tmp.dir", folder + "/tmp");
        conf.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, folder + "/hdfs");
        conf.set("yarn.scheduler.minimum-allocation-mb", "256");
        conf.set("yarn.scheduler.capacity.root.queues", "default");
        conf.set("yarn.scheduler.capacity.root.default.capacity", "100");
        conf.set("yarn.scheduler.capacity.maximum-am-resource-percent", "1");
        conf.set("yarn.nodemanager.vmem-check-enabled", "false");
        conf.set("yarn.nodemanager.disk-health-checker.max-disk-utilization-per-disk-percentage", "100");
        MiniDFSCluster hdfs = new MiniDFSCluster.Builder(conf).numDataNodes(1).build();
        MiniYARNCluster yarn = new MiniYARNCluster("rowbook", 2, 1, 1);
        yarn.init(conf);
        yarn.start();
        Configuration client = new Configuration(false);
        client.set("fs.defaultFS", hdfs.getFileSystem().getUri().toString());
        client.set("dfs.namenode.http-address", hdfs.getHttpUri(0));
        for (Map.Entry<String, String> each : yarn.getConfig()) {
            if (each.getKey().matches("yarn\\.resourcemanager\\..*address.*")) {
                client.set(each.getKey(), each.getValue());
            }
        }
        for (String name : new String[] {"yarn-site.xml", "core-site.xml"}) {
            File partial = new File(folder, name);
            try (FileOutputStream out = new FileOutputStream(partial)) {
                client.writeXml(out);
            }
            partial.renameTo(new File(folder, "conf/" + name));
        }
        System.in.read();
        System.exit(0);
    }
}
